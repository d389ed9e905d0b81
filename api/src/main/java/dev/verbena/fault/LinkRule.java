// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import dev.verbena.verbs.Gid;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Returns a {@link Verdict} for each packet of a link, for example to drop, delay or duplicate the packet.
 *
 * <p>A link applies its rules in order and executes the first verdict other than {@link Verdict#PASS}. One thread at a time
 * passes packets to a link rule, in the order of sending. When a link rule is removed, the remaining rules judge all
 * packets that were held back. A link rule can have state, for example to drop one packet once.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface LinkRule {
    /**
     * Decides the verdict on a packet.
     *
     * @param packet the packet, which is valid only until {@code judge} returns
     * @param random the random generator of the link; a run whose rules use another generator cannot be replayed
     * @return the verdict
     */
    Verdict judge(LinkPacket packet, RandomGenerator random);

    /**
     * Creates a rule with the same verdict on every packet that a predicate selects.
     *
     * @param packets selects the packets
     * @param verdict the verdict on each selected packet
     * @return a rule
     */
    static LinkRule always(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return (packet, random) -> packets.test(packet) ? verdict : Verdict.PASS;
    }

    /**
     * Creates a rule for the packets that a predicate selects. For each selected packet, the rule returns
     * {@code verdict} with the given probability.
     *
     * @param packets selects the packets
     * @param chance the probability that the rule applies {@code verdict} to a selected packet
     * @param verdict the verdict
     * @return a rule
     */
    static LinkRule sometimes(Predicate<? super LinkPacket> packets, Probability chance, Verdict verdict) {
        return (packet, random) -> packets.test(packet) && chance.happens(random) ? verdict : Verdict.PASS;
    }

    /**
     * Creates a rule that applies a verdict once: to the first selected packet on any link. The rule
     * {@code LinkRule.once(packet -> packet.psn() == 7, Verdict.DROP)} drops one packet with PSN 7 and lets its
     * retransmission pass.
     *
     * @param packets selects the packets
     * @param verdict the verdict on the first selected packet
     * @return a stateful rule, which the program must add to only one {@link FaultPlan}
     */
    static LinkRule once(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return nth(packets, 1, 1, verdict);
    }

    /**
     * Creates a rule that numbers the selected packets of all links in one sequence, and applies a verdict to a range
     * of these numbers.
     *
     * @param packets selects the packets
     * @param first the number of the first packet that gets {@code verdict}; selected packets are numbered from 1
     * @param count the number of selected packets that get {@code verdict}, at least 1. The rule gives the verdict to the
     *     packets with the numbers {@code first} to {@code first + count - 1}
     * @param verdict the verdict, such as {@link Verdict#DROP}
     * @return a stateful rule, which the program must add to only one {@link FaultPlan}
     */
    static LinkRule nth(Predicate<? super LinkPacket> packets, long first, long count, Verdict verdict) {
        if (first < 1 || count < 1) {
            throw new IllegalArgumentException(
                    "first and count must be at least 1; first is " + first + ", count is " + count);
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
     * Creates a rule that partitions the network: it drops packets between an address inside a set and an address outside of the
     * set.
     *
     * @param island the set of addresses
     * @return a rule
     */
    static LinkRule partition(Collection<Gid> island) {
        Set<Gid> members = Set.copyOf(island);
        return always(
                packet -> members.contains(packet.source()) != members.contains(packet.destination()), Verdict.DROP);
    }

    /**
     * Creates a rule that holds packets until the rule is removed; then the link delivers the packets in the order of sending.
     *
     * @param packets the predicate that selects the packets, such as the packets from one address
     * @return a rule
     */
    static LinkRule clog(Predicate<? super LinkPacket> packets) {
        return always(packets, Verdict.HOLD);
    }
}
