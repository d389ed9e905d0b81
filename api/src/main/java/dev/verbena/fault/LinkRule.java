// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import dev.verbena.verbs.Gid;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A fault rule, which returns an action ({@link Verdict}) for each packet of a link, such as a drop or a delay.
 *
 * <p>A link applies its fault rules in order and executes the first action other than {@link Verdict#PASS}. For packets of
 * the same link, only one thread at a time calls a fault rule, in the order of sending. When a fault rule is removed, each
 * link applies the remaining fault rules to its queued packets. A fault rule can have state, such as a packet count.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface LinkRule {
    /**
     * Returns the action for a packet.
     *
     * @param packet the packet, which is valid only until {@code judge} returns
     * @param random the random generator of the link; if the fault rule uses another generator, the simulation is not
     *     reproducible
     * @return the action
     */
    Verdict judge(LinkPacket packet, RandomGenerator random);

    /**
     * Creates a fault rule that returns the same action for every packet that a predicate selects.
     *
     * @param packets selects the packets
     * @param verdict the action for each selected packet
     * @return a fault rule
     */
    static LinkRule always(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return (packet, random) -> packets.test(packet) ? verdict : Verdict.PASS;
    }

    /**
     * Creates a fault rule for the packets that a predicate selects. For each selected packet, the fault rule returns
     * {@code verdict} with the given probability.
     *
     * @param packets selects the packets
     * @param chance the probability that the fault rule returns {@code verdict} for a selected packet
     * @param verdict the action
     * @return a fault rule
     */
    static LinkRule sometimes(Predicate<? super LinkPacket> packets, Probability chance, Verdict verdict) {
        return (packet, random) -> packets.test(packet) && chance.happens(random) ? verdict : Verdict.PASS;
    }

    /**
     * Creates a fault rule that returns {@code verdict} once: for the first selected packet on any link. The fault rule
     * {@code LinkRule.once(packet -> packet.psn() == 7, Verdict.DROP)} drops one packet with PSN 7, but not its
     * retransmission.
     *
     * @param packets selects the packets
     * @param verdict the action for the first selected packet
     * @return a stateful fault rule, which the application must add to only one {@link FaultPlan}
     */
    static LinkRule once(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return nth(packets, 1, 1, verdict);
    }

    /**
     * Creates a fault rule that numbers the selected packets of all links in one sequence, and returns {@code verdict} for
     * a range of these numbers.
     *
     * @param packets selects the packets
     * @param first the number of the first packet for which the fault rule returns {@code verdict}; numbering starts at 1
     * @param count the number of packets for which the fault rule returns {@code verdict}, at least 1: the packets {@code
     *     first} to {@code first + count - 1}
     * @param verdict the action, such as {@link Verdict#DROP}
     * @return a stateful fault rule, which the application must add to only one {@link FaultPlan}
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
     * Creates a fault rule that partitions the network: it drops packets between a GID inside a set and a GID outside of
     * the set.
     *
     * @param island the set of GIDs
     * @return a fault rule
     */
    static LinkRule partition(Collection<Gid> island) {
        Set<Gid> members = Set.copyOf(island);
        return always(
                packet -> members.contains(packet.source()) != members.contains(packet.destination()), Verdict.DROP);
    }

    /**
     * Creates a fault rule that makes each link queue the selected packets. When the fault rule is removed, the link
     * delivers the queued packets in the order of sending.
     *
     * @param packets the predicate that selects the packets, such as the packets from one source GID
     * @return a fault rule
     */
    static LinkRule clog(Predicate<? super LinkPacket> packets) {
        return always(packets, Verdict.HOLD);
    }
}
