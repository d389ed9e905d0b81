// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.capture;

import dev.verbena.sim.fabric.SimPacket;
import java.util.List;

/**
 * A tap that passes each packet to several taps.
 *
 * @param taps the taps, in the order in which they get each packet
 */
public record CompositeTap(List<PacketTap> taps) implements PacketTap {
    /** Copies the list of taps. */
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
