// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import dev.verbena.benchmarks.compare.PairedFigure.Verdict;
import dev.verbena.benchmarks.compare.PairedSample.Side;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Compares benchmark results of the Git working tree with those of a commit, for {@code benchmarks/compare --against}. */
public final class Against {
    private static final int ARGUMENTS = 2;

    /** The name prefix of the benchmark results of C programs, which do not depend on the code of this project. */
    private static final String OF_C = "c_";

    private final String commit;
    private final Map<String, PairedFigure> figures = new LinkedHashMap<>();

    private Against(String commit) {
        this.commit = commit;
    }

    /**
     * Prints the comparison. The exit code is 1 if a benchmark result of the Git working tree is {@code WORSE}, 2 if no
     * benchmark result could be compared, and otherwise 0.
     *
     * @param arguments the path of the file of measurements, and the name of the commit
     * @throws IOException if the file of measurements cannot be read, or a line of the file is not a measurement
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("usage: Against SAMPLES COMMIT");
        }
        System.exit(compare(Path.of(arguments[0]), arguments[1], System.out));
    }

    static int compare(Path file, String commit, PrintStream out) throws IOException {
        Against against = new Against(commit);
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            try {
                against.add(PairedSample.parse(lines.get(i)));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + (i + 1) + ": '" + lines.get(i) + "': " + e.getMessage(), e);
            }
        }
        return against.print(out);
    }

    private void add(PairedSample sample) {
        if (PairedFigure.isSpeed(sample.unit()) && !sample.name().startsWith(OF_C)) {
            figures.computeIfAbsent(sample.name(), name -> new PairedFigure(name, sample.unit()))
                    .add(sample);
        }
    }

    private int print(PrintStream out) {
        List<PairedFigure> compared =
                figures.values().stream().filter(PairedFigure::isComparable).toList();
        out.printf(
                Locale.ROOT,
                "%-34s %12s %12s  %-29s %-22s %s%n",
                "figure",
                commit,
                "here",
                "time here/commit",
                "control",
                "verdict");
        List<String> worse = new ArrayList<>();
        for (PairedFigure figure : compared) {
            MedianInterval here = MedianInterval.of(figure.slowdowns(Side.HERE));
            Verdict verdict = Verdict.of(here);
            if (verdict == Verdict.WORSE) {
                worse.add(figure.name());
            }
            out.printf(
                    Locale.ROOT,
                    "%-34s %12s %12s  %-29s %-22s %s%n",
                    figure.name(),
                    value(figure, Side.BASE),
                    value(figure, Side.HERE),
                    ratio(here) + String.format(Locale.ROOT, " (%.1f %%)", 100 * here.coverage()),
                    ratio(MedianInterval.of(figure.slowdowns(Side.CONTROL))),
                    verdict);
        }
        figures.values().stream()
                .filter(figure -> !figure.isComparable())
                .forEach(figure -> out.println("not compared: " + figure.name() + ", " + reason(figure)));
        if (compared.isEmpty()) {
            out.println("no figure could be compared");
            return 2;
        }
        out.println(
                worse.isEmpty()
                        ? "no figure is worse by more than 5 %"
                        : "worse by more than 5 %: " + String.join(", ", worse));
        return worse.isEmpty() ? 0 : 1;
    }

    private static String ratio(MedianInterval interval) {
        return String.format(Locale.ROOT, "%.3f %.3f..%.3f", interval.median(), interval.low(), interval.high());
    }

    private static String value(PairedFigure figure, Side side) {
        return String.format(Locale.ROOT, "%.4g %s", figure.median(side), figure.unit());
    }

    private String reason(PairedFigure figure) {
        if (!figure.has(Side.HERE)) {
            return "only " + commit + " has it";
        }
        if (!figure.has(Side.BASE)) {
            return "only the work tree has it";
        }
        return "measured in " + figure.slowdowns(Side.HERE).length + " pairs and "
                + figure.slowdowns(Side.CONTROL).length + " of the control; an interval needs "
                + MedianInterval.LEAST_VALUES + " of each";
    }
}
