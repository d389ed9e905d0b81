package dev.verbena.benchmarks;

import dev.verbena.verbs.VerbsException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Post and poll over the provider {@code ibverbs} against C's own inline functions, over the same device without hardware, by
 * turns: the ratio of the medians. Both are counted in processor time of their thread. Lists of one length are measured by a process
 * of their own where figures count: what one length taught the compiler is no help for another.
 */
public final class StubComparison {
    private static final int ROUNDS = 9;
    private static final int WARM_UP = 3;

    /** A list's length, and the ratio that is asked for. */
    private record Case(int list, long operations, double limit) {}

    private static final List<Case> CASES = List.of(new Case(1, 10_000_000, 2.0), new Case(16, 2_000_000, 1.4));

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
                    Locale.ROOT, "c_post_%1$d %2$.2f ns%nnative_post_%1$d %3$.2f ns", asked.list(), c, java);
        }
    }

    /**
     * Prints lines of name, value and unit.
     *
     * @param arguments the length of the lists, 1 or 16; one after the other in this process where there is none
     * @throws VerbsException if the device refuses something
     * @throws IllegalArgumentException if nothing is asked of lists of that length
     */
    public static void main(String[] arguments) throws VerbsException {
        outcomes(arguments.length == 0 ? CASES : List.of(ofLength(Integer.parseInt(arguments[0]))))
                .forEach(outcome -> System.out.println(outcome.figures()));
    }

    /**
     * Measures; takes some seconds.
     *
     * @return a line for each length of the list
     * @throws VerbsException if the device refuses something
     */
    static List<String> lines() throws VerbsException {
        return outcomes(CASES).stream().map(Outcome::sentence).toList();
    }

    private static Case ofLength(int list) {
        return CASES.stream()
                .filter(each -> each.list() == list)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing is asked of lists of " + list));
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
        here.open(asked.list());
        for (int i = 0; i < WARM_UP; i++) {
            round(here, asked);
        }
        double[] c = new double[ROUNDS];
        double[] java = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            c[i] = stub.measure(asked.list(), asked.operations());
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
