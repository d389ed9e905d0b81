// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Verdict;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Faults of individual packets on a link. Packet 0 is the first packet, in either direction, after the faults were set on
 * the link.
 *
 * @param faults the fault of each faulty packet, by the packet's index, which starts at 0
 */
public record LinkFaults(SortedMap<Integer, Kind> faults) {
    private static final Duration LATE = Duration.ofMillis(1);
    private static final int LAST = 30;
    private static final int MOST = 6;

    /** The type of a fault. */
    public enum Kind {
        /** The packet is lost. */
        LOSE,
        /** The packet is delivered twice. */
        DOUBLE,
        /** The packet is delivered a millisecond late, so that later packets overtake this packet. */
        DELAY,
        /** One bit of the packet is inverted. */
        DAMAGE
    }

    /** Copies the map. */
    public LinkFaults {
        faults = new TreeMap<>(faults);
    }

    /** {@return a new fault plan, whose packet 0 is the first packet that the plan sees} */
    public FaultPlan plan() {
        AtomicInteger next = new AtomicInteger();
        return FaultPlan.builder()
                .rule((packet, random) -> {
                    int number = next.getAndIncrement();
                    Kind kind = faults.get(number);
                    return kind == null ? Verdict.PASS : verdict(kind, number);
                })
                .build();
    }

    private static Verdict verdict(Kind kind, int number) {
        return switch (kind) {
            case LOSE -> Verdict.DROP;
            case DOUBLE -> new Verdict.Duplicate(1);
            case DELAY -> new Verdict.Delay(LATE);
            // The inverted bit has a different position in each corrupted packet.
            case DAMAGE -> new Verdict.Corrupt(number * 997L);
        };
    }

    @Override
    public String toString() {
        return faults.isEmpty()
                ? "no faults"
                : faults.entrySet().stream()
                        .map(each -> each.getValue() + " packet " + each.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static LinkFaults among(Choices choices, int most, Kind... kinds) {
        SortedMap<Integer, Kind> faults = new TreeMap<>();
        choices.list(0, most, each -> new Fault(each.between(0, LAST), each.of(kinds)))
                .forEach(fault -> faults.put(fault.number, fault.kind));
        return new LinkFaults(faults);
    }

    private record Fault(int number, Kind kind) {}

    /** Generates up to six random packet faults: losses, duplicates, delays and inverted bits. */
    public static final class Any implements Arbitrary<LinkFaults> {
        /** The annotation {@link From} needs this constructor. */
        public Any() {}

        @Override
        public LinkFaults draw(Choices choices) {
            return among(choices, MOST, Kind.values());
        }
    }

    /** Generates up to three random packet losses. */
    public static final class Losses implements Arbitrary<LinkFaults> {
        /** The annotation {@link From} needs this constructor. */
        public Losses() {}

        @Override
        public LinkFaults draw(Choices choices) {
            return among(choices, 3, Kind.LOSE);
        }
    }

    /** Generates up to six random packet duplicates. */
    public static final class Doubles implements Arbitrary<LinkFaults> {
        /** The annotation {@link From} needs this constructor. */
        public Doubles() {}

        @Override
        public LinkFaults draw(Choices choices) {
            return among(choices, MOST, Kind.DOUBLE);
        }
    }

    /** Generates up to four random packet delays. */
    public static final class Delays implements Arbitrary<LinkFaults> {
        /** The annotation {@link From} needs this constructor. */
        public Delays() {}

        @Override
        public LinkFaults draw(Choices choices) {
            return among(choices, 4, Kind.DELAY);
        }
    }
}
