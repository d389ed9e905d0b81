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

/** Applies fault rules to the packets of one link, one at a time, and queues packets whose action is HOLD. */
final class FaultyLink {
    /** The maximum number of packets in the queue of one link. */
    static final int MOST_HELD = 4096;

    private final RandomGenerator random;
    private final LinkView view = new LinkView();
    private final Deque<Held> held = new ArrayDeque<>();

    record Held(SimPacket packet, PacketReceiver way) {}

    FaultyLink(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Returns the first action other than {@link Verdict#PASS}, or PASS if every fault rule returns PASS. The link counts
     * the packet only if {@code first} is true. For a packet that was queued before, {@code first} is false.
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

    /** Queues a packet until the next {@link #release}. Returns false if {@link #MOST_HELD} packets are already queued. */
    synchronized boolean hold(SimPacket packet, PacketReceiver way) {
        return held.size() < MOST_HELD && held.add(new Held(packet, way));
    }

    /** Removes and returns all queued packets of this link, oldest first. */
    synchronized List<Held> release() {
        List<Held> all = List.copyOf(held);
        held.clear();
        return all;
    }
}
