// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Compares the CPU time of post and poll between the provider {@code ibverbs} and the inline functions of the C header.
 * Java and C use the same stub device, which has no hardware. Measurements of Java and C alternate. Each measurement is the
 * CPU time of the thread that posts and polls. The result is the median of the Java measurements divided by the median of
 * the C measurements. The maximum ratios of Java to C apply only to {@link StubLibrary#DEVICE}. The driver of that device
 * works like the user-space driver of an RDMA adapter. The driver of {@link StubLibrary#BARE_DEVICE} does almost nothing,
 * so a measurement with {@code BARE_DEVICE} shows only the cost of calling a driver. For published benchmark results, a
 * separate process measures each combination of device and batch size. In a shared process, the JIT compiler may optimize
 * for one device and batch size, and thereby slow the other measurements.
 */
public final class StubComparison {
    private static final int ROUNDS = 9;
    private static final int WARM_UP = 3;

    /**
     * One comparison of Java with C: the device, the name of the benchmark result, the number of work requests in a batch,
     * and the maximum ratio.
     */
    private record Case(String device, String figure, int list, long operations, double limit) {
        static Case asked(int list, long operations, double limit) {
            return new Case(StubLibrary.DEVICE, "post", list, operations, limit);
        }

        /** Returns a comparison on {@link StubLibrary#BARE_DEVICE} with the same batch size and no maximum ratio. */
        Case bare() {
            return new Case(StubLibrary.BARE_DEVICE, "bare_post", list, operations, Double.NaN);
        }
    }

    private static final List<Case> ASKED = List.of(Case.asked(1, 10_000_000, 2.0), Case.asked(16, 2_000_000, 1.4));
    private static final List<Case> ALL =
            Stream.concat(ASKED.stream(), ASKED.stream().map(Case::bare)).toList();

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final StubLibrary stub;

    private StubComparison(StubLibrary stub) {
        this.stub = stub;
    }

    /** The median times of post and poll for one {@link Case} in C and in Java, in nanoseconds. */
    private record Outcome(Case asked, double c, double java) {
        String sentence() {
            return String.format(
                    Locale.ROOT,
                    "post and poll of a device without hardware, lists of %d: C %.1f ns, here %.1f ns, ratio %.2f (at most %.1f)",
                    asked.list(),
                    c,
                    java,
                    java / c,
                    asked.limit());
        }

        String figures() {
            return String.format(
                    Locale.ROOT,
                    "c_%1$s_%2$d %3$.2f ns%nnative_%1$s_%2$d %4$.2f ns",
                    asked.figure(),
                    asked.list(),
                    c,
                    java);
        }
    }

    /**
     * Prints a line with name, value and unit for each benchmark result.
     *
     * @param arguments the name of a device and the batch size in work requests, 1 or 16; without arguments, this process
     *     measures all devices with both batch sizes
     */
    public static void main(String[] arguments) throws VerbsException {
        outcomes(arguments.length == 0 ? ALL : List.of(of(arguments[0], Integer.parseInt(arguments[1]))))
                .forEach(outcome -> System.out.println(outcome.figures()));
    }

    /**
     * Compares Java with C in each {@link Case} that has a maximum ratio of Java time to C time. Takes several seconds.
     * Returns one sentence for each comparison.
     */
    static List<String> lines() throws VerbsException {
        return outcomes(ASKED).stream().map(Outcome::sentence).toList();
    }

    private static Case of(String device, int list) {
        return ALL.stream()
                .filter(each -> each.device().equals(device) && each.list() == list)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("lists of " + list + " on " + device + " are not measured"));
    }

    private static List<Outcome> outcomes(List<Case> cases) throws VerbsException {
        StubLibrary stub = StubLibrary.compile();
        stub.load();
        List<Outcome> outcomes = new ArrayList<>();
        for (Case each : cases) {
            outcomes.add(new StubComparison(stub).measure(each));
        }
        return outcomes;
    }

    private Outcome measure(Case asked) throws VerbsException {
        NativePostPollBenchmark here = new NativePostPollBenchmark();
        here.open(asked.device(), asked.list());
        for (int i = 0; i < WARM_UP; i++) {
            round(here, asked);
        }
        double[] c = new double[ROUNDS];
        double[] java = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            c[i] = stub.measure(asked.device(), asked.list(), asked.operations());
            java[i] = round(here, asked);
        }
        return new Outcome(asked, Stopwatch.median(c), Stopwatch.median(java));
    }

    private double round(NativePostPollBenchmark here, Case asked) {
        long begin = threads.getCurrentThreadCpuTime();
        for (long i = 0; i < asked.operations(); i++) {
            if (here.postAndPoll() != asked.list()) {
                throw new IllegalStateException("the device did not complete what was posted");
            }
        }
        return (double) (threads.getCurrentThreadCpuTime() - begin) / asked.operations();
    }
}
