// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.Gid;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Applies the faults of a program and records those that affected a packet. */
final class FaultRule implements LinkRule {
    /** The longest delay of a packet in nanoseconds. */
    static final int LONGEST_DELAY = 100_000;

    private static final int MOST_COPIES = 2;
    private static final int LONGEST_PARTITION = 50;

    private final List<Gid> addresses;
    private final List<Fault> faults;
    private final Map<Fault.Kind, Integer> hits = new EnumMap<>(Fault.Kind.class);
    private int hitCount;

    FaultRule(List<Gid> addresses, List<Fault> faults) {
        this.addresses = addresses;
        this.faults = faults;
    }

    @Override
    public Verdict judge(LinkPacket packet, RandomGenerator random) {
        if (faults.isEmpty()) {
            return Verdict.PASS;
        }
        int from = addresses.indexOf(packet.source());
        int to = addresses.indexOf(packet.destination());
        int link = link(from, to);
        for (int i = 0; i < faults.size(); i++) {
            Fault fault = faults.get(i);
            if (fault.link() == link && isHit(fault, packet.ordinal())) {
                hits.merge(fault.kind(), 1, Integer::sum);
                hitCount++;
                return verdict(fault);
            }
        }
        return Verdict.PASS;
    }

    /**
     * Returns the index of a link: 0 and 1 between the first two devices. Packets to a group count as packets to the
     * next device.
     */
    private static int link(int from, int to) {
        return switch (from) {
            case 0 -> to == 2 ? 2 : 0;
            case 1 -> to == 2 ? 4 : 1;
            default -> to == 1 ? 5 : 3;
        };
    }

    private static boolean isHit(Fault fault, long ordinal) {
        long behind = ordinal - fault.packet();
        return switch (fault.kind()) {
            case DROP, DUPLICATE, DELAY, CORRUPT -> behind == 0;
            case PARTITION -> behind >= 0 && behind <= fault.parameter() % LONGEST_PARTITION;
            case STUTTER -> behind >= 0 && behind <= fault.parameter() % LONGEST_PARTITION && behind % 2 == 0;
        };
    }

    private static Verdict verdict(Fault fault) {
        return switch (fault.kind()) {
            case DROP, PARTITION, STUTTER -> Verdict.DROP;
            case DUPLICATE -> new Verdict.Duplicate(1 + fault.parameter() % MOST_COPIES);
            case DELAY -> new Verdict.Delay(Duration.ofNanos(fault.parameter() % LONGEST_DELAY));
            case CORRUPT -> new Verdict.Corrupt(fault.parameter());
        };
    }

    /** Returns whether packets that arrived did so once and in order. */
    boolean areOrderly() {
        return !hits.containsKey(Fault.Kind.DUPLICATE) && !hits.containsKey(Fault.Kind.DELAY);
    }

    /** Returns the number of copies made of packets. */
    int copies() {
        return MOST_COPIES * hits.getOrDefault(Fault.Kind.DUPLICATE, 0);
    }

    /** Returns the number of packets affected up to now. */
    int hits() {
        return hitCount;
    }

    /** Returns the number of affected packets of each kind of fault. */
    Map<Fault.Kind, Integer> tally() {
        return hits;
    }
}
