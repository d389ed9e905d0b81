// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which samples count, what becomes of them, and that nothing is said that was not measured. */
class PerformancePageTest {
    private static final Goal HALF =
            Goal.atLeast("1", "ours of theirs", "ours", "theirs", 0.5).stretch(0.9);

    private static Sample sample(double before, double after, String name, double value) {
        return new Sample(1, before, after, name, value, "GB/s");
    }

    private static String page(Sample... samples) {
        return new PerformancePage(new Samples(List.of(samples)), List.of(HALF), List.of("Cores: 2")).markdown();
    }

    @Test
    void aSampleCountsIfBothProbesWereOfOneCommonState() {
        Samples samples = new Samples(List.of(
                sample(24, 55, "ours", 100),
                sample(50, 74, "ours", 3),
                sample(50, 200, "ours", 100),
                sample(200, 50, "ours", 100),
                sample(24, 24, "ours", 100),
                sample(200, 250, "ours", 100),
                sample(55, 70, "ours", 2),
                sample(60, 60, "ours", 1)));
        assertThat(samples.kept("ours")).isEqualTo(3);
        assertThat(samples.taken("ours")).isEqualTo(8);
        assertThat(samples.median("ours")).hasValue(2);
        assertThat(samples.quickest()).isEqualTo(50);
        assertThat(samples.slowest()).isEqualTo(75);
    }

    @Test
    void ofCommonStatesTheQuickestCounts() {
        List<Sample> taken = new ArrayList<>(List.of(
                sample(200, 250, "ours", 100),
                sample(50, 50, "ours", 1),
                sample(200, 200, "ours", 100),
                sample(52, 51, "ours", 3),
                sample(200, 200, "ours", 100),
                sample(201, 200, "ours", 100)));
        assertThat(new Samples(taken).median("ours")).hasValue(2);
        taken.add(sample(220, 220, "ours", 100));
        assertThat(new Samples(taken).median("ours")).hasValue(100);
    }

    @Property
    void noStateIsMoreThanTwiceAsCommon(
            @ForAll @Size(min = 1, max = 40) List<@DoubleRange(min = 20, max = 400) Double> probes) {
        List<Sample> taken = IntStream.range(0, probes.size())
                .mapToObj(i -> sample(probes.get(i), probes.get((i + 1) % probes.size()), "ours", i))
                .toList();
        int kept = new Samples(taken).kept();
        for (double quickest : probes) {
            assertThat(taken.stream()
                            .filter(sample -> sample.before() >= quickest
                                    && sample.after() >= quickest
                                    && sample.before() <= 1.5 * quickest
                                    && sample.after() <= 1.5 * quickest)
                            .count())
                    .isLessThanOrEqualTo(2L * kept);
        }
    }

    @Test
    void aFigureWithoutACountingSampleIsTheMarkedMedianOfAll() {
        String page = page(sample(50, 50, "theirs", 10), sample(200, 200, "ours", 6), sample(200, 50, "ours", 8));
        assertThat(page)
                .contains("| `ours` | 7.00 GB/s | 6.00 | 8.00 | 0 of 2 *far* |")
                .contains("| 1 | ours of theirs | 0.70 | at least 0.50, stretch 0.90 | reached, *far* |")
                .contains("1 of 3 samples");
    }

    @Test
    void eachGoalHasItsVerdict() {
        assertThat(page(sample(50, 50, "theirs", 10), sample(50, 50, "ours", 4.9)))
                .contains("| 0.49 |", "**not reached**");
        assertThat(page(sample(50, 50, "theirs", 10), sample(50, 50, "ours", 5)))
                .contains("| reached |");
        assertThat(page(sample(50, 50, "theirs", 10), sample(50, 50, "ours", 9)))
                .contains("reached, stretch too");
        assertThat(page(sample(50, 50, "theirs", 10))).contains("|  | at least 0.50, stretch 0.90 | not measured |");
    }

    @Test
    void aLatencyMayNotBeMoreThanTheLimit() {
        Goal goal = Goal.atMost("2", "", "ours", "", 3);
        assertThat(goal.isReached(3)).isTrue();
        assertThat(goal.isReached(3.1)).isFalse();
        assertThat(goal.isStretched(0)).isFalse();
    }

    @Test
    void aPictureHasACurveForEachOneAndAPointForEachSize() {
        PerformancePage page = new PerformancePage(
                new Samples(List.of(
                        sample(50, 50, "lat:UCX_shm:64", 0.2),
                        sample(50, 50, "lat:UCX_shm:4096", 2),
                        sample(50, 50, "lat:Verbena:64", 0.1))),
                List.of(),
                List.of());
        String svg = page.svg(PerformancePage.Picture.LATENCY);
        assertThat(svg).contains(">UCX shm</text>", ">Verbena</text>");
        assertThat(svg.split("<circle ", -1)).hasSize(4);
        assertThat(page.svg(PerformancePage.Picture.RATE)).isEmpty();
        assertThat(page.markdown()).contains("performance-lat.svg").doesNotContain("performance-rate.svg");
    }

    @Test
    void theAxesAreOfWholePowersOfTen(@TempDir Path folder) throws IOException {
        Path samples = Files.writeString(
                folder.resolve("samples.tsv"), "1\t50\t50\tbw:A:10\t1\tGB/s\n1\t50\t50\tbw:A:1000\t100\tGB/s\n");
        Path machine = Files.writeString(folder.resolve("machine.txt"), "Cores: 2\n");
        Compare.main(new String[] {samples.toString(), machine.toString(), folder.toString()});
        assertThat(folder.resolve("performance.md")).content().contains("- Cores: 2");
        assertThat(folder.resolve("performance-bw.svg"))
                .content()
                .contains(
                        "<polyline fill=\"none\" stroke=\"#b5179e\" stroke-width=\"2\" points=\"70.0,370.0 570.0,40.0\"/>");
    }

    @Test
    void aFileThatIsNoneOfSamplesIsRefusedByItsLine(@TempDir Path folder) throws IOException {
        Path samples = Files.writeString(folder.resolve("samples.tsv"), "1\t50\t50\ta\t1\tns\n1\t50\tx\ta\t1\tns\n");
        assertThatThrownBy(() -> Samples.read(samples))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("samples.tsv:2: ");
        Path none = Files.writeString(folder.resolve("none.tsv"), "");
        assertThatThrownBy(() -> Samples.read(none)).hasMessageContaining("there are no samples");
    }

    @Test
    void everyGoalIsNamedOnce() {
        assertThat(Goals.ALL)
                .extracting(goal -> goal.of() + "/" + goal.against())
                .doesNotHaveDuplicates();
    }
}
