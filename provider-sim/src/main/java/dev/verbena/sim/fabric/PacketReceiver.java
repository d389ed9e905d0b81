package dev.verbena.sim.fabric;

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
}
