// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import dev.verbena.verbs.Gid;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Gives a verdict on each packet of a link.
 *
 * <p>A link applies its rules in order and executes the first verdict other than {@link Verdict#PASS}. A rule sees
 * every packet of its link once, in the order of sending, from one thread at a time. A rule with memory (drop this
 * packet once) is an object.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface LinkRule {
    /**
     * Judges a packet.
     *
     * @param packet the packet, valid during the call
     * @param random the link's own source of chance; draw from no other, or the run cannot be replayed
     * @return the verdict
     */
    Verdict judge(LinkPacket packet, RandomGenerator random);

    /**
     * Gives a verdict on every packet of a kind.
     *
     * @param packets selects the packets
     * @param verdict the verdict on each
     * @return a rule
     */
    static LinkRule always(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return (packet, random) -> packets.test(packet) ? verdict : Verdict.PASS;
    }

    /**
     * Gives a verdict on packets of a kind by chance.
     *
     * @param packets selects the packets
     * @param chance how often
     * @param verdict the verdict on each
     * @return a rule
     */
    static LinkRule sometimes(Predicate<? super LinkPacket> packets, Probability chance, Verdict verdict) {
        return (packet, random) -> packets.test(packet) && chance.happens(random) ? verdict : Verdict.PASS;
    }

    /**
     * Gives a verdict on the first packet of a kind, on any link, and lets its retransmission pass:
     * {@code LinkRule.once(packet -> packet.psn() == 7, Verdict.DROP)}.
     *
     * @param packets selects the packets
     * @param verdict the verdict on the first
     * @return a rule with memory, to be used once
     */
    static LinkRule once(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return nth(packets, 1, 1, verdict);
    }

    /**
     * Gives a verdict on a range of packets of a kind by their numbers, counted over all links.
     *
     * @param packets selects the packets
     * @param first the number of the first of them, at least 1
     * @param count how many of them, at least 1
     * @param verdict the verdict on each
     * @return a rule with memory, to be used once
     */
    static LinkRule nth(Predicate<? super LinkPacket> packets, long first, long count, Verdict verdict) {
        if (first < 1 || count < 1) {
            throw new IllegalArgumentException(
                    "packets are counted from 1, and at least 1 of them; not " + count + " from " + first);
        }
        AtomicLong seen = new AtomicLong();
        return (packet, random) -> {
            if (!packets.test(packet)) {
                return Verdict.PASS;
            }
            long number = seen.incrementAndGet();
            return number >= first && number - first < count ? verdict : Verdict.PASS;
        };
    }

    /**
     * Partitions the network: packets between these addresses and the others are lost, in both directions.
     *
     * @param island the addresses on one side
     * @return a rule
     */
    static LinkRule partition(Collection<Gid> island) {
        Set<Gid> members = Set.copyOf(island);
        return always(
                packet -> members.contains(packet.source()) != members.contains(packet.destination()), Verdict.DROP);
    }

    /**
     * Clogs links: packets wait, and are delivered in their order when the rule ends.
     *
     * @param packets selects the packets, such as those from one address
     * @return a rule
     */
    static LinkRule clog(Predicate<? super LinkPacket> packets) {
        return always(packets, Verdict.HOLD);
    }
}
