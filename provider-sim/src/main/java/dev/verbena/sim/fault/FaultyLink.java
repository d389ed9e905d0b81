// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/** Judges the packets of one link, one at a time, and stores the packets that a rule holds on the link. */
final class FaultyLink {
    /** The maximum number of packets held on one link. */
    static final int MOST_HELD = 4096;

    private final RandomGenerator random;
    private final LinkView view = new LinkView();
    private final Deque<Held> held = new ArrayDeque<>();

    record Held(SimPacket packet, PacketReceiver way) {}

    FaultyLink(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Returns the first verdict that is not {@link Verdict.Pass}, or the verdict to pass the packet. The parameter {@code first}
     * is false for a packet that was held, which is not counted again.
     */
    synchronized Verdict judge(SimPacket packet, List<LinkRule> rules, boolean first) {
        view.show(packet, first);
        try {
            for (int i = 0; i < rules.size(); i++) {
                Verdict verdict = rules.get(i).judge(view, random);
                if (!(verdict instanceof Verdict.Pass)) {
                    return verdict;
                }
            }
            return Verdict.PASS;
        } finally {
            view.hide();
        }
    }

    /** Holds a packet. Returns false if {@link #MOST_HELD} packets are already held. */
    synchronized boolean hold(SimPacket packet, PacketReceiver way) {
        return held.size() < MOST_HELD && held.add(new Held(packet, way));
    }

    /** Removes and returns all held packets, in the order in which they were held. */
    synchronized List<Held> release() {
        List<Held> all = List.copyOf(held);
        held.clear();
        return all;
    }
}
