// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import org.jspecify.annotations.Nullable;

/** Receives packets from a fabric. */
@FunctionalInterface
public interface PacketReceiver {
    /**
     * Receives a packet. The receiver owns the packet and must release it. Called from any thread, concurrently, with
     * no lock of the fabric held. Packets of one sender arrive in the order of the link.
     *
     * @param packet the packet
     */
    void onPacket(SimPacket packet);

    /**
     * Returns whether the receiver accepts packets as {@linkplain SimPacket#decode() fields}, packets with zero-copy
     * payloads, and segment batches. Otherwise packets arrive as bytes.
     *
     * @return false by default
     */
    default boolean takesFields() {
        return false;
    }

    /**
     * Receives several packets, as if they had arrived one after the other.
     *
     * @param packets the packets; the array is the caller's, and its entries are null when this returns
     * @param count the number of packets
     */
    default void onPackets(@Nullable SimPacket[] packets, int count) {
        for (int i = 0; i < count; i++) {
            SimPacket packet = packets[i];
            if (packet != null) {
                packets[i] = null;
                onPacket(packet);
            }
        }
    }
}
