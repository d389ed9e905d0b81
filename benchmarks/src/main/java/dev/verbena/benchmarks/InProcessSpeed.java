// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures latency and throughput of two software devices in one process, and the throughput of a memory copy for
 * comparison. For each metric, the output has one line with name, value and unit, and one line with the number of bytes
 * allocated per operation. Metrics of the same group are measured alternately; the program prints the median of the
 * measurements of each metric.
 */
public final class InProcessSpeed {
    private static final int LARGE = WriteBenchmark.BYTES;
    private static final int SMALL = 64;
    private static final int BATCH = 32;
    private static final int SAMPLES = 15;
    /** The duration of the warm-up, as a multiple of the duration of a measurement. */
    private static final int WARM_UP = 20;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private InProcessSpeed() {}

    /** The unit in which a measured time per operation is printed. */
    private enum Unit {
        GIGABYTES_PER_SECOND("GB/s") {
            @Override
            double of(double nanos) {
                return LARGE / nanos;
            }
        },
        NANOSECONDS("ns") {
            @Override
            double of(double nanos) {
                return nanos;
            }
        },
        MILLIONS_PER_SECOND("M/s") {
            @Override
            double of(double nanos) {
                return NANOS_PER_SECOND / nanos / 1e6;
            }
        };

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        abstract double of(double nanos);
    }

    private interface Maker {
        Timed make() throws VerbsException;
    }

    /** A metric. In each round, the benchmark measures each metric of the {@code group} once. */
    private record Figure(String name, String group, Unit unit, Maker maker) {
        boolean isCalled(String wanted) {
            return name.equals(wanted) || name.startsWith(wanted + "_");
        }
    }

    private static final List<Figure> FIGURES = List.of(
            new Figure("copy_1m", "large", Unit.GIGABYTES_PER_SECOND, () -> new CopyTimed(LARGE)),
            new Figure(
                    "write_1m_inline",
                    "large",
                    Unit.GIGABYTES_PER_SECOND,
                    () -> new WriteTimed(new Link(LARGE), LARGE, 1, 1)),
            new Figure(
                    "write_1m_two_threads",
                    "large",
                    Unit.GIGABYTES_PER_SECOND,
                    () -> new SharedWriteTimed(new Link(LARGE), LARGE)),
            new Figure(
                    "write_1m_icrc",
                    "large",
                    Unit.GIGABYTES_PER_SECOND,
                    () -> new WriteTimed(new Link(QpType.RC, LARGE, InProcessFabric::checking), LARGE, 1, 1)),
            new Figure("write_64_lat", "small", Unit.NANOSECONDS, () -> new WriteTimed(new Link(SMALL), SMALL, 1, 1)),
            new Figure(
                    "send_pingpong_half_rtt",
                    "pair",
                    Unit.NANOSECONDS,
                    () -> new PingPongTimed(new Link(SMALL), SMALL)),
            new Figure(
                    "write_64_batch32",
                    "small",
                    Unit.MILLIONS_PER_SECOND,
                    () -> new WriteTimed(new Link(SMALL), SMALL, BATCH, 1)),
            crowd(1),
            crowd(10),
            crowd(100),
            crowd(1_000),
            crowd(10_000));

    private static Figure crowd(int queuePairs) {
        return new Figure(
                "qps_" + queuePairs,
                "crowd",
                Unit.MILLIONS_PER_SECOND,
                () -> new CrowdTimed(new Link(SMALL), queuePairs, SMALL));
    }

    /**
     * Measures the metrics that the arguments select.
     *
     * @param arguments options and names. {@code --best} prints the best measurement instead of the median. {@code --millis
     *     N} sets the duration of a measurement; the default is 50 ms. A name selects the metric with this name and the
     *     metrics whose names begin with this name and an underscore. Without names, the program measures all metrics
     */
    public static void main(String[] arguments) throws VerbsException {
        run(System.out, arguments);
    }

    static void run(PrintStream out, String... arguments) throws VerbsException {
        boolean best = false;
        Duration sample = Duration.ofMillis(50);
        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--best" -> best = true;
                case "--millis" -> sample = Duration.ofMillis(Long.parseLong(arguments[++i]));
                default -> wanted.add(arguments[i]);
            }
        }
        List<Figure> figures = FIGURES.stream()
                .filter(figure -> wanted.isEmpty() || wanted.stream().anyMatch(figure::isCalled))
                .toList();
        for (String group : figures.stream().map(Figure::group).distinct().toList()) {
            measure(
                    figures.stream()
                            .filter(figure -> figure.group().equals(group))
                            .toList(),
                    sample.toNanos(),
                    best,
                    out);
        }
    }

    private static void measure(List<Figure> figures, long sampleNanos, boolean best, PrintStream out)
            throws VerbsException {
        @Nullable Timed[] timed = new Timed[figures.size()];
        try {
            Stopwatch[] stopwatches = new Stopwatch[timed.length];
            for (int i = 0; i < timed.length; i++) {
                Timed made = figures.get(i).maker().make();
                timed[i] = made;
                stopwatches[i] = new Stopwatch(made, SAMPLES);
            }
            Arrays.stream(stopwatches).forEach(each -> each.warmUp(WARM_UP * sampleNanos));
            for (int i = 0; i < SAMPLES; i++) {
                Arrays.stream(stopwatches).forEach(each -> each.sample(sampleNanos));
            }
            for (int i = 0; i < timed.length; i++) {
                print(out, figures.get(i), stopwatches[i], best);
            }
        } finally {
            for (Timed each : timed) {
                if (each != null) {
                    each.close();
                }
            }
        }
    }

    private static void print(PrintStream out, Figure figure, Stopwatch stopwatch, boolean best) {
        double nanos = best ? stopwatch.bestNanos() : stopwatch.medianNanos();
        out.printf(Locale.ROOT, "%s %.3f %s%n", figure.name(), figure.unit().of(nanos), figure.unit().symbol);
        out.printf(Locale.ROOT, "%s_allocated %.4f B%n", figure.name(), stopwatch.bytes());
    }
}
