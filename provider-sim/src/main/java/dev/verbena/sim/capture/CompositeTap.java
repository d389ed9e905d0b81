// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.SimPacket;
import java.util.List;

/**
 * Several taps at one place.
 *
 * @param taps the taps that get each packet, in this order
 */
public record CompositeTap(List<PacketTap> taps) implements PacketTap {
    /** Copies the list. */
    public CompositeTap {
        taps = List.copyOf(taps);
    }

    @Override
    public void onPacket(long nanoTime, String link, SimPacket packet) {
        for (int i = 0; i < taps.size(); i++) {
            taps.get(i).onPacket(nanoTime, link, packet);
        }
    }
}
