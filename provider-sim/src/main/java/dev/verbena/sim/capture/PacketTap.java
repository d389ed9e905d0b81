// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.SimPacket;

/** Observes packets that are sent. */
@FunctionalInterface
public interface PacketTap {
    /**
     * Observes a packet that is being sent. Calls come one at a time, in the order of their times. This method must
     * neither block for long nor throw, because a device waits in the data path.
     *
     * @param nanoTime the time by the runtime's clock
     * @param link the link, such as {@code sim0->sim1}; the same object for every packet of a link
     * @param packet the packet, sealed; readable only during the call, and not to be changed
     */
    void onPacket(long nanoTime, String link, SimPacket packet);
}
