package dev.verbena.benchmarks;

import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Post and poll over the provider {@code ibverbs} against C's own inline functions, over the same device without hardware, by
 * turns: the ratio of the medians. Both are counted in processor time of their thread. What is asked for is asked of the device whose
 * driver works as a card's does; the bare one, which does next to nothing, shows the way to a driver by itself. Lists of one length
 * and device are measured by a process of their own where figures count: what one taught the compiler is no help for another.
 */
public final class StubComparison {
    private static final int ROUNDS = 9;
    private static final int WARM_UP = 3;

    /** A device, how its figures are named, a list's length, and the ratio that is asked for. */
    private record Case(String device, String figure, int list, long operations, double limit) {
        static Case asked(int list, long operations, double limit) {
            return new Case(StubLibrary.DEVICE, "post", list, operations, limit);
        }

        /** The same of the device that nothing is asked of. */
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

    /** The medians of a case, in nanoseconds. */
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
     * Prints lines of name, value and unit.
     *
     * @param arguments the device and the length of the lists, 1 or 16; one after the other in this process where there is none
     * @throws VerbsException if the device refuses something
     * @throws IllegalArgumentException if there is no such device, or lists of that length are not measured
     */
    public static void main(String[] arguments) throws VerbsException {
        outcomes(arguments.length == 0 ? ALL : List.of(of(arguments[0], Integer.parseInt(arguments[1]))))
                .forEach(outcome -> System.out.println(outcome.figures()));
    }

    /**
     * Measures what is asked for; takes some seconds.
     *
     * @return a line for each length of the list
     * @throws VerbsException if the device refuses something
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
