// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Qp;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.Gid;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

final class Faults {
    private Faults() {}

    /**
     * Returns a fault rule that applies the action {@code verdict} to the packets with the given indices. The index counts
     * the packets of both directions together; index 0 is the first packet after this call.
     */
    static LinkRule at(Set<Integer> places, Verdict verdict) {
        AtomicInteger count = new AtomicInteger();
        return (packet, random) -> places.contains(count.getAndIncrement()) ? verdict : Verdict.PASS;
    }

    /** Returns a fault rule that applies the action {@code verdict} to each packet with the probability 1/{@code many}. */
    static LinkRule oneIn(int many, Verdict verdict) {
        return (packet, random) -> random.nextInt(many) == 0 ? verdict : Verdict.PASS;
    }

    /** Returns a fault rule that drops the first {@code count} packets from one device, and passes all other packets. */
    static LinkRule loseFirst(Qp from, int count) {
        Gid source = from.side().facts().source().gid();
        AtomicInteger left = new AtomicInteger(count);
        return (packet, random) ->
                packet.source().equals(source) && left.getAndDecrement() > 0 ? Verdict.DROP : Verdict.PASS;
    }

    /** Returns a fault rule that drops all packets from one device. */
    static LinkRule silence(Qp from) {
        return loseFirst(from, Integer.MAX_VALUE);
    }
}
