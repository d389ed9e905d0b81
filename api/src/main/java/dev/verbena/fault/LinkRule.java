package dev.verbena.fault;

import java.util.random.RandomGenerator;

/**
 * Decides what happens to packets of a link.
 *
 * <p>Rules are asked in order; the first verdict other than {@link Verdict#PASS} is carried out. A rule sees every packet of
 * its link once, in the order of sending, from one thread at a time. A rule with memory (drop this packet once) is an object.
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
}
