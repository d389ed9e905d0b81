// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import org.jspecify.annotations.Nullable;

/** The receiving half of QP1 or of a queue pair, as the port uses it. */
interface QpIntake {
    /** Checks the headers of a packet. Returns the counter of the first failed check, or null if the packet passes. */
    @Nullable Counter check(SimPacket packet);

    /** Handles a packet that passed {@link #check}. */
    void onPacket(SimPacket packet);

    /**
     * Handles the packets of an array from the index {@code from}, inclusive, to the index {@code to}, exclusive. The packets
     * have passed {@link #check} and are all requests or all responses. Sets the array elements of these packets to null; an
     * element that is null is skipped.
     */
    default void onPackets(@Nullable SimPacket[] packets, int from, int to, boolean requests) {
        for (int i = from; i < to; i++) {
            SimPacket packet = packets[i];
            packets[i] = null;
            if (packet != null) {
                onPacket(packet);
            }
        }
    }
}
