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
     * Returns whether {@link #onPacket} accepts packets with Java fields instead of header bytes (see {@link
     * SimPacket#hasFields()}), zero-copy payloads, and one {@link SimPacket} for several packets (see {@link
     * SimPacket#count()}). If {@code takesFields} returns false, the fabric passes every packet to {@link #onPacket} as
     * bytes.
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
