package dev.verbena.fault;

import dev.verbena.verbs.Gid;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Decides what happens to packets of a link.
 *
 * <p>Rules are asked in order; the first verdict other than {@link Verdict#PASS} is carried out. A rule sees every packet of
 * its link once, in the order of sending, from one thread at a time. A rule with memory (drop this packet once) is an object.
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
     * @return what is to happen
     */
    Verdict judge(LinkPacket packet, RandomGenerator random);

    /**
     * Gives a verdict to every packet of a kind.
     *
     * @param packets which ones
     * @param verdict what is to happen to them
     * @return a rule
     */
    static LinkRule always(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return (packet, random) -> packets.test(packet) ? verdict : Verdict.PASS;
    }

    /**
     * Gives a verdict to packets of a kind by chance.
     *
     * @param packets which ones
     * @param chance how often
     * @param verdict what is to happen to them
     * @return a rule
     */
    static LinkRule sometimes(Predicate<? super LinkPacket> packets, Probability chance, Verdict verdict) {
        return (packet, random) -> packets.test(packet) && chance.happens(random) ? verdict : Verdict.PASS;
    }

    /**
     * Gives a verdict to the first packet of a kind on whichever link, and lets its retransmission pass: {@code
     * LinkRule.once(packet -> packet.psn() == 7, Verdict.DROP)}.
     *
     * @param packets which ones
     * @param verdict what is to happen to the first
     * @return a rule with memory, to be used once
     */
    static LinkRule once(Predicate<? super LinkPacket> packets, Verdict verdict) {
        return nth(packets, 1, 1, verdict);
    }

    /**
     * Gives a verdict to some packets of a kind by their number, counted over all links.
     *
     * @param packets which ones
     * @param first the number of the first of them, at least 1
     * @param count how many of them, at least 1
     * @param verdict what is to happen to them
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
     * Parts the network: what is sent between these addresses and the others is lost, in both directions.
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
     * Clogs links: packets wait, and go on in their order when the rule is ended.
     *
     * @param packets which ones, such as those from one address
     * @return a rule
     */
    static LinkRule clog(Predicate<? super LinkPacket> packets) {
        return always(packets, Verdict.HOLD);
    }
}
