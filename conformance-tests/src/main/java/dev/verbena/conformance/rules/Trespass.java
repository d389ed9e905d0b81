// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.arbitraries.Arbitrary;
import dev.verbena.conformance.arbitraries.Choices;
import dev.verbena.conformance.side.Memory;

/**
 * A range of bytes that is not completely inside a memory region of {@link #REGION} bytes.
 *
 * @param from the offset of the range from the start of the region; negative if the range begins before the region
 * @param length the length of the range in bytes, at least 1
 */
public record Trespass(int from, int length) {
    static final int REGION = 2 * Memory.GUARD;

    /** Generates a range that lies partly or completely in the guard area before or after the memory region. */
    public static final class Any implements Arbitrary<Trespass> {
        public Any() {}

        @Override
        public Trespass draw(Choices choices) {
            boolean before = choices.of(true, false);
            int beyond = choices.between(1, choices.of(2, Memory.GUARD));
            int within = choices.between(0, Memory.GUARD);
            return new Trespass(before ? -beyond : REGION - within, beyond + within);
        }
    }
}
