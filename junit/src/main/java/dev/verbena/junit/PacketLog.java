// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.fabric.SimPacket;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** Strings that describe the last packets of each link. */
final class PacketLog implements PacketTap {
    private static final int MOST_PER_LINK = 12;

    private final Map<String, Deque<String>> links = new TreeMap<>();
    private final long start;

    /** Creates an empty log, whose times are relative to the given start. */
    PacketLog(long start) {
        this.start = start;
    }

    static String milliseconds(Duration time) {
        return BigDecimal.valueOf(time.toNanos(), 6) + " ms";
    }

    @Override
    public synchronized void onPacket(long nanoTime, String link, SimPacket packet) {
        Deque<String> last = links.computeIfAbsent(link, name -> new ArrayDeque<>());
        if (last.size() == MOST_PER_LINK) {
            last.removeFirst();
        }
        last.addLast(milliseconds(Duration.ofNanos(nanoTime - start)) + " " + packet.opcode() + " to QP "
                + packet.destinationQpn() + ", PSN " + packet.psn() + ", " + packet.length() + " bytes");
    }

    synchronized String text() {
        if (links.isEmpty()) {
            return "\n\nlast packets: none";
        }
        StringBuilder text = new StringBuilder();
        links.forEach((link, packets) -> {
            text.append("\n\nlast packets of ").append(link).append(", dropped ones included:");
            packets.forEach(packet -> text.append("\n  ").append(packet));
        });
        return text.toString();
    }
}
