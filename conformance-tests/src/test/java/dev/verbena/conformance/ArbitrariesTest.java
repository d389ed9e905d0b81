// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.conformance.arbitraries.Arbitrary;
import dev.verbena.conformance.arbitraries.Choices;
import dev.verbena.conformance.arbitraries.LinkFaults;
import dev.verbena.conformance.arbitraries.Parameters;
import dev.verbena.conformance.arbitraries.Program;
import dev.verbena.conformance.arbitraries.ScatterList;
import dev.verbena.conformance.arbitraries.Settings;
import dev.verbena.conformance.arbitraries.WorkRequest;
import dev.verbena.conformance.rules.RuleCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ArbitrariesTest {
    private static <T> T sample(long seed, Arbitrary<T> arbitrary) {
        return arbitrary.draw(Choices.random(new SplittableRandom(seed)));
    }

    /** Returns all values, simplest first. */
    private static <T> List<T> all(Arbitrary<T> arbitrary) {
        List<T> all = new ArrayList<>();
        Optional<List<Long>> next = Optional.of(List.of());
        while (next.isPresent()) {
            Choices choices = Choices.of(next.get());
            all.add(arbitrary.draw(choices));
            next = choices.successor();
        }
        return all;
    }

    /** Neither an object's hash nor the name of a type: a person is to read it. */
    @Property(tries = 200)
    void theTextOfASampleIsForPeople(@ForAll long seed) {
        assertThat(List.of(
                        sample(seed, new WorkRequest.Plain()),
                        sample(seed, new ScatterList.Any()),
                        sample(seed, new Settings()),
                        sample(seed, new LinkFaults.Any()),
                        sample(seed, new Program.Any())))
                .extracting(Object::toString)
                .allSatisfy(text -> assertThat(text)
                        .doesNotContainPattern("@[0-9a-f]{4,}")
                        .doesNotContain("WorkRequest[", "Piece[", "Connection[", "LinkFaults[", "Post[", "Optional["));
    }

    @Property
    void aRequestStaysInsideItsMemory(@ForAll long seed) {
        assertThat(sample(seed, new Program.Any()).steps()).allSatisfy(step -> {
            if (step instanceof Program.Post post) {
                assertThat(post.requests()).isNotEmpty().allSatisfy(request -> {
                    assertThat(request.length()).isBetween(0, WorkRequest.LONGEST);
                    assertThat(request.at()).isBetween(0, WorkRequest.LAST);
                    if (request.isAtomic()) {
                        assertThat(request.at() % Long.BYTES).isZero();
                        assertThat(request.length()).isEqualTo(Long.BYTES);
                    }
                });
            }
        });
    }

    @Property
    void aListFitsItsMemory(@ForAll long seed) {
        assertThat(sample(seed, new ScatterList.Any()).pieces())
                .hasSizeBetween(1, ScatterList.MOST)
                .allSatisfy(
                        piece -> assertThat(piece.offset() + piece.length()).isLessThanOrEqualTo(ScatterList.MEMORY));
    }

    @Property
    void theSameNumbersMakeTheSameValue(@ForAll long seed) {
        Choices choices = Choices.random(new SplittableRandom(seed));
        Program program = new Program.Any().draw(choices);
        assertThat(new Program.Any().draw(Choices.of(choices.numbers()))).isEqualTo(program);
    }

    @Property
    void eachShorterSampleLacksOneElement(@ForAll long seed) {
        Choices choices = Choices.random(new SplittableRandom(seed));
        List<Integer> list = choices.list(1, 9, each -> each.between(0, 1000));
        assertThat(choices.shorter())
                .hasSize(list.size() == 1 ? 0 : list.size())
                .allSatisfy(numbers -> {
                    List<Integer> shorter = Choices.of(numbers).list(1, 9, each -> each.between(0, 1000));
                    assertThat(list).hasSize(shorter.size() + 1).containsSubsequence(shorter);
                });
    }

    @Property
    void aListOfFixedLengthCannotBecomeShorter(@ForAll long seed) {
        Choices choices = Choices.random(new SplittableRandom(seed));
        choices.list(3, 3, each -> each.between(0, 1000));
        assertThat(choices.shorter()).isEmpty();
    }

    @Property
    void anIntegerIsInItsRange(@ForAll long seed, @ForAll int one, @ForAll int other) {
        int min = Math.min(one, other);
        int max = Math.max(one, other);
        int drawn = sample(seed, choices -> choices.between(min, max));
        assertThat(drawn).isBetween(min, max);
    }

    @Property
    void allIntegersOfARangeAreEnumeratedOnceFromTheOneNearestToZero(
            @ForAll @IntRange(min = -20, max = 20) int min, @ForAll @IntRange(max = 20) int more) {
        List<Integer> all = all(choices -> choices.between(min, min + more));
        assertThat(all)
                .doesNotHaveDuplicates()
                .hasSize(more + 1)
                .isSortedAccordingTo((first, second) -> Integer.compare(Math.abs(first), Math.abs(second)));
    }

    @Example
    void theExtremesOfEachTypeAreDrawn() {
        List<Long> longs = new ArrayList<>();
        List<Integer> integers = new ArrayList<>();
        for (int seed = 0; seed < 1000; seed++) {
            longs.add(sample(seed, Choices::anyLong));
            integers.add(sample(seed, choices -> choices.between(Integer.MIN_VALUE, Integer.MAX_VALUE)));
        }
        assertThat(longs).contains(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(integers).contains(0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE);
    }

    @Example
    void theListsOfAFewValuesAreEnumerated() {
        assertThat(all(choices -> choices.list(0, 2, each -> each.of("a", "b"))))
                .containsExactly(
                        List.of(),
                        List.of("a"),
                        List.of("b"),
                        List.of("a", "a"),
                        List.of("a", "b"),
                        List.of("b", "a"),
                        List.of("b", "b"));
    }

    @Example
    void everyRuleHasValuesForItsParameters() {
        RuleCatalogue.of(VerbsConformance.class)
                .forEach(rule -> assertThat(Parameters.draw(rule.test(), Choices.of(List.of())))
                        .hasSize(rule.test().getParameterCount()));
    }

    @Example
    void aTypeWithoutValuesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Parameters.draw(Object.class.getMethod("equals", Object.class), Choices.of(List.of())))
                .withMessageContaining("java.lang.Object");
    }
}
