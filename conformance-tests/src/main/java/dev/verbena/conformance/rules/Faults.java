// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Qp;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.Gid;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Faults that rules command. */
final class Faults {
    private Faults() {}

    /** A verdict for some of the packets, counted from now over both directions. */
    static LinkRule at(Set<Integer> places, Verdict verdict) {
        AtomicInteger count = new AtomicInteger();
        return (packet, random) -> places.contains(count.getAndIncrement()) ? verdict : Verdict.PASS;
    }

    /** A verdict on one packet in {@code many}, drawn from the link's own random numbers. */
    static LinkRule oneIn(int many, Verdict verdict) {
        return (packet, random) -> random.nextInt(many) == 0 ? verdict : Verdict.PASS;
    }

    /** Loses the first {@code count} packets that one side sends. */
    static LinkRule loseFirst(Qp from, int count) {
        Gid source = from.side().facts().source().gid();
        AtomicInteger left = new AtomicInteger(count);
        return (packet, random) ->
                packet.source().equals(source) && left.getAndDecrement() > 0 ? Verdict.DROP : Verdict.PASS;
    }

    /** Loses everything that one side sends. */
    static LinkRule silence(Qp from) {
        return loseFirst(from, Integer.MAX_VALUE);
    }
}
