// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.arbitraries.Choices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Simplifies the choices of a failed try while the try still fails: removes list elements, then reduces numbers. */
final class Shrinker<F> {
    private static final int MOST_TRIES = 1000;

    /** The maximum duration of shrinking, because in wall time each failing try may wait for a whole timeout. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Function<Choices, Optional<F>> attempt;
    private final long end = System.nanoTime() + LONGEST.toNanos();
    private Choices choices;
    private F failure;
    private int tries;

    /** A function tries the rule with the given choices, and returns the failure, if any. */
    Shrinker(Choices choices, F failure, Function<Choices, Optional<F>> attempt) {
        this.choices = choices;
        this.failure = failure;
        this.attempt = attempt;
    }

    /** Returns the failure of the try with the simplest choices. */
    F shrink() {
        List<Long> before;
        do {
            before = choices.numbers();
            shorten();
            lower();
        } while (!before.equals(choices.numbers()));
        return failure;
    }

    private void shorten() {
        int kept = 0;
        while (kept < choices.shorter().size()) {
            if (!fails(choices.shorter().get(kept))) {
                kept++;
            }
        }
    }

    /** Reduces each number to 0, or by powers of two. A smaller number can change how many choices follow it. */
    private void lower() {
        for (int i = 0; i < choices.numbers().size(); i++) {
            long number = choices.numbers().get(i);
            if (number != 0 && !fails(lowered(i, number))) {
                for (long step = Long.highestOneBit(number); step != 0; step >>>= 1) {
                    lower(i, step);
                }
            }
        }
    }

    private void lower(int index, long step) {
        while (index < choices.numbers().size()
                && Long.compareUnsigned(choices.numbers().get(index), step) >= 0
                && fails(lowered(index, step))) {
            // The try may still fail if the same power of two is subtracted once more.
        }
    }

    private List<Long> lowered(int index, long step) {
        List<Long> numbers = new ArrayList<>(choices.numbers());
        numbers.set(index, numbers.get(index) - step);
        return numbers;
    }

    /**
     * Tries the rule with these numbers unless the maximum number of tries is reached. Stores the numbers as the
     * simplest choices if the try fails.
     */
    private boolean fails(List<Long> numbers) {
        if (tries++ >= MOST_TRIES || System.nanoTime() - end >= 0) {
            return false;
        }
        Choices simpler = Choices.of(numbers);
        Optional<F> found = attempt.apply(simpler);
        found.ifPresent(another -> {
            choices = simpler;
            failure = another;
        });
        return found.isPresent();
    }
}
