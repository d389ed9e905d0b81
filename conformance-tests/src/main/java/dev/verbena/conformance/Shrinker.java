// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.arbitraries.Choices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Shrinks the parameter values with which a rule failed, as long as the rule still fails. First removes list elements from
 * the parameter values, then decreases the random numbers ({@link Choices}) that determine the parameter values.
 */
final class Shrinker<F> {
    private static final int MOST_TRIES = 1000;

    /**
     * After this duration, a {@code Shrinker} tries no further parameter values. In wall-clock time, each execution of a
     * failing rule may last until a timeout expires.
     */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Function<Choices, Optional<F>> attempt;
    private final long end = System.nanoTime() + LONGEST.toNanos();
    private Choices choices;
    private F failure;
    private int tries;

    /**
     * Creates a {@code Shrinker} that executes the rule with simpler parameter values by calling {@code attempt}. The
     * random numbers passed to {@code attempt} determine the rule's parameter values. The return value of {@code attempt}
     * is the failure, if any.
     */
    Shrinker(Choices choices, F failure, Function<Choices, Optional<F>> attempt) {
        this.choices = choices;
        this.failure = failure;
        this.attempt = attempt;
    }

    /** Repeatedly shrinks the parameter values with which the rule fails, and returns the last failure. */
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

    /**
     * Lowers each random number as far as the rule still fails: first to 0, then in steps of powers of 2. If a random
     * number determines the length of a list, a smaller number may change how many random numbers follow.
     */
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
            // The loop body is empty, because `fails` stores the new numbers if the rule still fails.
        }
    }

    private List<Long> lowered(int index, long step) {
        List<Long> numbers = new ArrayList<>(choices.numbers());
        numbers.set(index, numbers.get(index) - step);
        return numbers;
    }

    /**
     * Executes the rule once with the given random numbers. After {@link #MOST_TRIES} calls or the time {@link #LONGEST},
     * returns false without executing the rule. If the rule fails, stores the given random numbers in {@link #choices}.
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
