// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.SimPacket;

/** A callback for the packets that devices send. */
@FunctionalInterface
public interface PacketTap {
    /**
     * Called with each packet before the packet is sent. The fabric calls {@code onPacket} from one thread at a time, and
     * {@code nanoTime} never decreases. Because the sending device waits until {@code onPacket} returns, an implementation
     * of {@code onPacket} must neither block for long nor throw.
     *
     * @param nanoTime the time of sending, in nanoseconds of {@code SimRuntime.nanoTime()}
     * @param link the name of the link from the source port to the destination, such as {@code sim0->sim1}; all packets of
     *     a link have the same {@code String} object
     * @param packet the packet with its ICRC; the tap may only read the packet, and only during the call
     */
    void onPacket(long nanoTime, String link, SimPacket packet);
}
