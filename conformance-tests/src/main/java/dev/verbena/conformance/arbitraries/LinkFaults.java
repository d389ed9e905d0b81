package dev.verbena.conformance.arbitraries;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;

/**
 * Faults of packets of a link. Packets are counted over both directions, from the beginning of the plan.
 *
 * @param faults the fault of each packet by its number, from 0
 */
public record LinkFaults(SortedMap<Integer, Kind> faults) {
    private static final Duration LATE = Duration.ofMillis(1);
    private static final int LAST = 30;
    private static final int MOST = 6;

    /** A kind of fault. */
    public enum Kind {
        /** The packet is lost. */
        LOSE,
        /** The packet is delivered twice. */
        DOUBLE,
        /** The packet is delivered a millisecond late, after others. */
        DELAY,
        /** A bit of the packet is inverted. */
        DAMAGE
    }

    /** Keeps its own copy. */
    public LinkFaults {
        faults = new TreeMap<>(faults);
    }

    /**
     * Makes a plan of a link with these faults. The plan counts from the first packet that it judges.
     *
     * @return a new plan
     */
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
            // A bit of its own for each, anywhere in the packet.
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

    private static Arbitrary<LinkFaults> among(int most, Kind... kinds) {
        return Combinators.combine(Arbitraries.integers().between(0, LAST), Arbitraries.of(List.of(kinds)))
                .as(Fault::new)
                .list()
                .ofMaxSize(most)
                .map(LinkFaults::of);
    }

    private record Fault(int number, Kind kind) {}

    private static LinkFaults of(List<Fault> list) {
        SortedMap<Integer, Kind> faults = new TreeMap<>();
        list.forEach(fault -> faults.put(fault.number(), fault.kind()));
        return new LinkFaults(faults);
    }

    /** Up to six faults of all kinds. */
    public static final class Any implements ArbitrarySupplier<LinkFaults> {
        /** For jqwik. */
        public Any() {}

        @Override
        public Arbitrary<LinkFaults> get() {
            return among(MOST, Kind.values());
        }
    }

    /** Up to three losses. */
    public static final class Losses implements ArbitrarySupplier<LinkFaults> {
        /** For jqwik. */
        public Losses() {}

        @Override
        public Arbitrary<LinkFaults> get() {
            return among(3, Kind.LOSE);
        }
    }

    /** Up to six packets that come twice. */
    public static final class Doubles implements ArbitrarySupplier<LinkFaults> {
        /** For jqwik. */
        public Doubles() {}

        @Override
        public Arbitrary<LinkFaults> get() {
            return among(MOST, Kind.DOUBLE);
        }
    }

    /** Up to four packets that come late. */
    public static final class Delays implements ArbitrarySupplier<LinkFaults> {
        /** For jqwik. */
        public Delays() {}

        @Override
        public Arbitrary<LinkFaults> get() {
            return among(4, Kind.DELAY);
        }
    }
}
