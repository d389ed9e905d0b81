// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** The content of {@code performance.md}: performance targets, benchmark results, charts and a description of the host. */
final class PerformancePage {
    /** A chart. The names of its benchmark results begin with its prefix and a colon, such as {@code lat:UCX_shm:64}. */
    enum Picture {
        LATENCY("lat", "Latency by size: half of a SEND's round trip", "bytes", "microseconds"),
        BANDWIDTH("bw", "Bandwidth by size", "bytes", "GB/s"),
        RATE("rate", "Rate of RDMA WRITEs of 64 bytes by queue pairs in use", "queue pairs", "million a second");

        private final String prefix;
        private final String title;
        private final String across;
        private final String up;

        Picture(String prefix, String title, String across, String up) {
            this.prefix = prefix;
            this.title = title;
            this.across = across;
            this.up = up;
        }

        String file() {
            return "performance-" + prefix + ".svg";
        }

        private boolean shows(String name) {
            return name.startsWith(prefix + ":");
        }
    }

    private static final int PARTS = 3;

    private final Samples samples;
    private final List<Goal> goals;
    private final List<String> machine;

    PerformancePage(Samples samples, List<Goal> goals, List<String> machine) {
        this.samples = samples;
        this.goals = goals;
        this.machine = machine;
    }

    /** Returns one chart in SVG, or an empty string if the chart has no measurements. */
    String svg(Picture picture) {
        Map<String, SortedMap<Double, Double>> curves = curves(picture);
        return curves.isEmpty() ? "" : new LogChart(picture.title, picture.across, picture.up, curves).svg();
    }

    private Map<String, SortedMap<Double, Double>> curves(Picture picture) {
        Map<String, SortedMap<Double, Double>> curves = new TreeMap<>();
        for (String name : samples.names()) {
            String[] parts = name.split(":", PARTS);
            if (picture.shows(name) && parts.length == PARTS) {
                curves.computeIfAbsent(parts[1].replace('_', ' '), curve -> new TreeMap<>())
                        .put(Double.valueOf(parts[2]), samples.median(name).orElseThrow());
            }
        }
        return curves;
    }

    String markdown() {
        StringBuilder page = new StringBuilder("""
                # Performance

                `benchmarks/compare` generated this page. The page [performance-notes.md](performance-notes.md) explains the goals that
                are not reached. Each figure is the median of its valid samples. The benchmark programs ran alternately, and
                each round of a program ran in its own process.

                """);
        page.append(String.format(
                Locale.ROOT,
                "A sample is valid if the handoff of a cache line between the two cores needed %.0f to %.0f ns before the sample and after it."
                        + " The lower limit is the shortest of the frequent handoff times. A handoff time is frequent if it occurred at least half as often as the most common one."
                        + " The upper limit is 1.5 times the lower limit."
                        + " In this run, %d of %d samples are valid. If a figure has no valid sample, this page shows the median of all its"
                        + " samples, marked *far*.%n%n",
                samples.quickest(),
                samples.slowest(),
                samples.kept(),
                samples.taken()));
        page.append("## Goals\n\n| # | Ratio | Measured | Goal | |\n|---|---|---|---|---|\n");
        goals.forEach(goal -> page.append(row(goal)));
        page.append("\n## Pictures\n");
        for (Picture picture : Picture.values()) {
            if (!curves(picture).isEmpty()) {
                page.append(String.format(Locale.ROOT, "%n![%s](%s)%n", picture.title, picture.file()));
            }
        }
        page.append("\n## Figures\n\n| Figure | Median | Minimum | Maximum | Valid samples |\n|---|---|---|---|---|\n");
        samples.names().forEach(name -> page.append(row(name)));
        page.append("\n## The machine\n\n");
        machine.forEach(line -> page.append("- ").append(line).append('\n'));
        return page.toString();
    }

    private String row(Goal goal) {
        OptionalDouble ratio = goal.ratio(samples);
        String asked = (goal.atMost() ? "at most " : "at least ") + number(goal.limit());
        if (!Double.isNaN(goal.stretch())) {
            asked += ", stretch " + number(goal.stretch());
        }
        String measured = ratio.isEmpty() ? "" : number(ratio.getAsDouble());
        return "| " + goal.line() + " | " + goal.what() + " | " + measured + " | " + asked + " | "
                + verdict(goal, ratio) + " |\n";
    }

    private String verdict(Goal goal, OptionalDouble ratio) {
        if (ratio.isEmpty()) {
            return "not measured";
        }
        String verdict = goal.isReached(ratio.getAsDouble()) ? "reached" : "**not reached**";
        if (goal.isStretched(ratio.getAsDouble())) {
            verdict = "reached, stretch too";
        }
        boolean far = samples.kept(goal.of()) == 0 || (!goal.against().isEmpty() && samples.kept(goal.against()) == 0);
        return far ? verdict + ", *far*" : verdict;
    }

    private String row(String name) {
        double[] values = samples.values(name);
        return String.format(
                Locale.ROOT,
                "| %s | %s %s | %s | %s | %d of %d%s |%n",
                "`" + name + "`",
                number(samples.median(name).orElseThrow()),
                samples.unit(name),
                number(values[0]),
                number(values[values.length - 1]),
                samples.kept(name),
                samples.taken(name),
                samples.kept(name) == 0 ? " *far*" : "");
    }

    /** Formats three significant digits. */
    private static String number(double value) {
        double size = Math.abs(value);
        if (size >= 100) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return size >= 10
                ? String.format(Locale.ROOT, "%.1f", value)
                : size >= 0.1 || size == 0
                        ? String.format(Locale.ROOT, "%.2f", value)
                        : String.format(Locale.ROOT, "%.4f", value);
    }
}
