package dev.verbena.sim.fabric;

import org.jspecify.annotations.Nullable;

/** Takes packets from a fabric. */
@FunctionalInterface
public interface PacketReceiver {
    /**
     * A packet came; it belongs to the receiver, who must release it. Called from any thread, several at once, with no
     * lock of the fabric held; packets of one sender come in the order of the link.
     *
     * @param packet the packet
     */
    void onPacket(SimPacket packet);

    /**
     * Tells whether the receiver takes packets as {@linkplain SimPacket#decode() fields}, such as refer to their payload, and
     * trains; if not, they come as bytes.
     *
     * @return false unless a receiver says otherwise
     */
    default boolean takesFields() {
        return false;
    }

    /**
     * Some packets came at once, as if they had come one after the other.
     *
     * @param packets the packets; the array is the caller's, and its entries are forgotten when this returns
     * @param count how many there are
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
