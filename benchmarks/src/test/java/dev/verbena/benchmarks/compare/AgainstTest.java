// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.verbena.benchmarks.compare.PairedFigure.Verdict;
import dev.verbena.benchmarks.compare.PairedSample.Side;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of a comparison of two commits. */
class AgainstTest {
    private static final int PAIRS = 8;

    @TempDir
    private Path directory;

    private final StringBuilder samples = new StringBuilder();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    /** From tables of the binomial distribution: 2 P(X &lt; k) for n throws. */
    @ParameterizedTest
    @CsvSource({"6, 1, 0.96875", "8, 1, 0.9921875", "8, 2, 0.9296875", "9, 2, 0.9609375", "15, 4, 0.96484375"})
    void coverageIsThatOfTheSignTest(int count, int rank, double coverage) {
        assertThat(MedianInterval.coverage(count, rank)).isCloseTo(coverage, within(1e-12));
    }

    @Test
    void intervalHasTheGreatestRankThatKeepsTheConfidence() {
        assertThat(MedianInterval.of(new double[] {9, 1, 8, 2, 7, 3, 6, 4, 5}))
                .isEqualTo(new MedianInterval(2, 5, 8, 0.9609375));
        assertThat(MedianInterval.of(new double[] {8, 7, 6, 5, 4, 3, 2, 1}))
                .isEqualTo(new MedianInterval(2, 4.5, 7, 0.9296875));
        assertThat(MedianInterval.of(new double[] {5, 4, 3, 2, 1})).isEqualTo(new MedianInterval(1, 3, 5, 0.9375));
        assertThatThrownBy(() -> MedianInterval.of(new double[] {1, 2, 3, 4}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there are 4 values; an interval needs 5");
    }

    /** Of intervals of many independent draws, the part that contains the true median is the coverage. */
    @Property(tries = 20)
    void intervalsContainTheTrueMedianAsOftenAsTheySay(
            @ForAll long seed, @ForAll @IntRange(min = 5, max = 20) int count) {
        Random random = new Random(seed);
        int draws = 4000;
        int contained = 0;
        double coverage = 0;
        for (int i = 0; i < draws; i++) {
            // Skewed, as times are; the median of exp(Gaussian) is 1.
            double[] values = IntStream.range(0, count)
                    .mapToDouble(each -> Math.exp(random.nextGaussian()))
                    .toArray();
            MedianInterval interval = MedianInterval.of(values);
            coverage = interval.coverage();
            if (interval.low() <= 1 && 1 <= interval.high()) {
                contained++;
            }
        }
        assertThat((double) contained / draws).isCloseTo(coverage, within(0.025));
    }

    @ParameterizedTest
    @CsvSource({
        "1.051, 1.2, WORSE",
        "1.05, 1.2, UNDECIDED",
        "0.8, 0.949, BETTER",
        "0.8, 0.95, UNDECIDED",
        "0.95, 1.05, SAME",
        "0.9, 1.1, UNDECIDED",
        "1.0, 1.06, UNDECIDED"
    })
    void verdictNeedsTheWholeInterval(double low, double high, Verdict verdict) {
        assertThat(Verdict.of(new MedianInterval(low, (low + high) / 2, high, 0.96)))
                .isEqualTo(verdict);
    }

    private void add(String name, String unit, Side side, IntToDoubleFunction value) {
        for (int round = 1; round <= PAIRS; round++) {
            samples.append(round + "\t" + side + "\t" + name + "\t" + value.applyAsDouble(round) + "\t" + unit + "\n");
        }
    }

    private void add(String name, String unit, double base, double here) {
        // The machine gets slower from round to round, for all sides alike.
        add(name, unit, Side.BASE, round -> base * round);
        add(name, unit, Side.CONTROL, round -> base * round);
        add(name, unit, Side.HERE, round -> here * round);
    }

    private int compare() throws IOException {
        Path file = Files.writeString(directory.resolve("samples"), samples);
        return Against.compare(file, "c0ffee", new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String row(String name) {
        return Arrays.stream(printed().split("\\R"))
                .filter(line -> line.startsWith(name + " "))
                .findFirst()
                .orElseThrow();
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void moreTimeAndALowerRateAreWorseByTheSameRatio() throws IOException {
        add("time", "ns", 100, 110);
        add("rate", "M/s", 110, 100);
        assertThat(compare()).isEqualTo(1);
        assertThat(row("time"))
                .containsSubsequence(
                        "450.0 ns", "495.0 ns", "1.100 1.100..1.100 (93.0 %)", "1.000 1.000..1.000", "worse");
        assertThat(row("rate")).containsSubsequence("1.100 1.100..1.100", "1.000 1.000..1.000", "worse");
        assertThat(printed()).endsWith("worse by more than 5 %: time, rate\n".replace("\n", System.lineSeparator()));
    }

    @Test
    void lessTimeAndAHigherRateAreBetter() throws IOException {
        add("time", "us", 110, 100);
        add("rate", "GB/s", 100, 110);
        add("other", "ns", 100, 104);
        assertThat(compare()).isZero();
        assertThat(row("time")).endsWith("better");
        assertThat(row("rate")).endsWith("better");
        assertThat(row("other")).endsWith("same");
        assertThat(printed()).contains("no figure is worse by more than 5 %");
    }

    /** Of eight pairs the interval leaves out the greatest and the least ratio. */
    @Test
    void onePairThatWasDisturbedDoesNotHideThatAFigureIsWorse() throws IOException {
        add("time", "ns", 100, 120);
        add("disturbed", "ns", Side.BASE, round -> 100);
        add("disturbed", "ns", Side.CONTROL, round -> round == 1 ? 300 : 100);
        add("disturbed", "ns", Side.HERE, round -> round == 2 ? 50 : 120);
        assertThat(compare()).isEqualTo(1);
        assertThat(row("disturbed")).containsSubsequence("1.200 1.200..1.200", "1.000 1.000..1.000", "worse");
    }

    @Test
    void figuresOfOneSideAreNamedAndNotCompared() throws IOException {
        add("both", "ns", 100, 100);
        add("new", "ns", Side.HERE, round -> 1);
        add("old", "ns", Side.BASE, round -> 1);
        add("old", "ns", Side.CONTROL, round -> 1);
        samples.append("1\tBASE\tfew\t1\tns\n1\tCONTROL\tfew\t1\tns\n1\tHERE\tfew\t1\tns\n");
        add("both_allocated", "B", 1, 100);
        add("c_post", "ns", 1, 100);
        assertThat(compare()).isZero();
        assertThat(printed())
                .contains(
                        "not compared: new, only the work tree has it",
                        "not compared: old, only c0ffee has it",
                        "not compared: few, measured in 1 pairs and 1 of the control; an interval needs 5 of each")
                .doesNotContain("both_allocated", "c_post");
    }

    @Test
    void aComparisonOfNothingFails() throws IOException {
        add("new", "ns", Side.HERE, round -> 1);
        assertThat(compare()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1;BASE;x;0;ns   | x is 0.0, which has no ratio
                    1;BASE;x;NaN;ns | x is NaN, which has no ratio
                    1;BASE;x;1      | there are 4 fields and not 5
                    1;OTHER;x;1;ns  | OTHER
                    """)
    void refusesAnInvalidSample(String line, String hint) {
        samples.append(line.replace(';', '\t')).append('\n');
        assertThatThrownBy(this::compare)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("samples:1: ")
                .hasMessageContaining(hint);
    }
}
