package dev.verbena.conformance.rules;

import dev.verbena.conformance.side.Memory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;

/**
 * A range that is not inside a region of {@link #REGION} bytes.
 *
 * @param from the first byte, counted from the start of the region
 * @param length bytes, at least 1
 */
public record Trespass(int from, int length) {
    static final int REGION = 2 * Memory.GUARD;

    /** Ranges that begin before the region or end after it, mostly by a few bytes, but never outside the guards. */
    public static final class Any implements ArbitrarySupplier<Trespass> {
        /** For jqwik. */
        public Any() {}

        @Override
        public Arbitrary<Trespass> get() {
            Arbitrary<Integer> beyond = Arbitraries.oneOf(
                    Arbitraries.integers().between(1, 2), Arbitraries.integers().between(1, Memory.GUARD));
            Arbitrary<Integer> within = Arbitraries.integers().between(0, Memory.GUARD);
            Arbitrary<Trespass> before =
                    Combinators.combine(beyond, within).as((out, in) -> new Trespass(-out, out + in));
            Arbitrary<Trespass> behind =
                    Combinators.combine(beyond, within).as((out, in) -> new Trespass(REGION - in, out + in));
            return Arbitraries.oneOf(before, behind);
        }
    }
}
