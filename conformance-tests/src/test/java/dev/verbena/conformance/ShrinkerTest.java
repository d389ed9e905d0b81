// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.arbitraries.Arbitrary;
import dev.verbena.conformance.arbitraries.Choices;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ShrinkerTest {
    private static final Arbitrary<List<Integer>> LISTS =
            choices -> choices.list(0, 20, each -> each.between(-1000, 1000));

    /** Draws until a value fails, and shrinks it. */
    private static <T> T shrunk(long seed, Arbitrary<T> arbitrary, Predicate<T> fails) {
        SplittableRandom random = new SplittableRandom(seed);
        while (true) {
            Choices choices = Choices.random(random);
            T value = arbitrary.draw(choices);
            if (fails.test(value)) {
                return new Shrinker<>(
                                choices,
                                value,
                                simpler -> Optional.of(arbitrary.draw(simpler)).filter(fails))
                        .shrink();
            }
        }
    }

    @Property(tries = 100)
    void anIntegerShrinksToTheSmallestThatFails(@ForAll long seed) {
        int smallest = shrunk(seed, choices -> choices.between(0, 1_000_000), number -> number > 4711);
        assertThat(smallest).isEqualTo(4712);
    }

    @Property(tries = 100)
    void aListShrinksToTheElementsThatMatter(@ForAll long seed) {
        assertThat(shrunk(
                        seed,
                        LISTS,
                        list -> list.stream().filter(number -> number < 0).count() > 1))
                .containsExactly(-1, -1);
    }

    @Property(tries = 100)
    void aListInAListShrinksToo(@ForAll long seed) {
        Arbitrary<List<List<Integer>>> nested = choices -> choices.list(0, 5, LISTS);
        assertThat(shrunk(seed, nested, lists -> lists.stream().anyMatch(list -> list.contains(7))))
                .containsExactly(List.of(7));
    }

    /** A rule can fail once by accident. */
    @Example
    void aValueThatFailsOnlyOnceIsNotShrunk() {
        AtomicInteger made = new AtomicInteger();
        assertThat(shrunk(1, Choices::anyLong, number -> made.getAndIncrement() == 3))
                .isNotZero();
        assertThat(made).hasValueLessThan(1005);
    }
}
