// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import org.jspecify.annotations.Nullable;

/** Receives the packets for one queue pair, which may be QP1. The port calls this interface. */
interface QpIntake {
    /** Checks the headers of a packet. Returns the counter of the first failed check, or null if the packet passes. */
    @Nullable Counter check(SimPacket packet);

    /** Handles a packet that passed {@link #check}. */
    void onPacket(SimPacket packet);

    /**
     * Has the effect of calling {@link #onPacket} for each packet in the index range [{@code from}, {@code to}) of an
     * array. All packets must have passed {@link #check}, and must all be requests or all be responses. Sets the array
     * element of each handled packet to null, and skips elements that are null.
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
