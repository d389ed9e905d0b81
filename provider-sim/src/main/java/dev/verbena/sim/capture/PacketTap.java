package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.SimPacket;

/** Sees packets that are sent. */
@FunctionalInterface
public interface PacketTap {
    /**
     * A packet is being sent. Calls come one at a time, in the order of the times that they carry. Must neither block
     * for long nor throw, for a device waits in the data path.
     *
     * @param nanoTime when, by the runtime's clock
     * @param link the link, such as {@code sim0->sim1}; the same object for every packet of a link
     * @param packet the packet, sealed; to be read during the call only, and left as it is
     */
    void onPacket(long nanoTime, String link, SimPacket packet);
}
