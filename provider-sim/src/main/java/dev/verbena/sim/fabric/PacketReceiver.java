// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import org.jspecify.annotations.Nullable;

/** Receives all packets that arrive at one port of a fabric. */
@FunctionalInterface
public interface PacketReceiver {
    /**
     * Receives a packet. The receiver owns the packet and must release it. Any thread may call this method,
     * concurrently and without a lock of the fabric. Packets of one sender arrive in the order of sending, unless the
     * link reorders them.
     *
     * @param packet the packet that has arrived
     */
    void onPacket(SimPacket packet);

    /**
     * Returns whether the receiver accepts three kinds of packets: packets with fields instead of bytes (see
     * {@link SimPacket#decode()}), packets with zero-copy payloads, and segment batches (see
     * {@link SimPacket#count()}). If {@code takesFields} returns false, the receiver gets every packet as bytes.
     *
     * @return false by default
     */
    default boolean takesFields() {
        return false;
    }

    /**
     * Receives several packets, as if they had arrived one after the other.
     *
     * @param packets an array of packets; this method sets the entries of the array to null
     * @param count the number of packets in the array
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
