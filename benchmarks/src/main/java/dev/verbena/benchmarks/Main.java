// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks with JMH's options and JMH's allocation profiler, and prints comparisons between the results. */
public final class Main {
    private Main() {}

    /**
     * Runs the benchmarks.
     *
     * @param arguments JMH's options, such as names of benchmarks; {@code -h} lists the options
     * @throws CommandLineOptionException if JMH does not know an option
     * @throws RunnerException if a benchmark fails
     * @throws IOException if the program cannot print the help
     * @throws VerbsException if a device reports an error to a benchmark
     */
    public static void main(String[] arguments)
            throws CommandLineOptionException, RunnerException, IOException, VerbsException {
        CommandLineOptions given = new CommandLineOptions(arguments);
        if (given.shouldHelp()) {
            given.showHelp();
            return;
        }
        String ofC = NativePostPollBenchmark.class.getSimpleName();
        ChainedOptionsBuilder options =
                new OptionsBuilder().parent(given).addProfiler(GCProfiler.class).shouldFailOnError(true);
        if (!StubLibrary.isPossible()) {
            System.out.println("without " + ofC + ": it needs a C compiler (cc) and the headers of libibverbs");
            options.exclude(ofC);
        }
        Runner runner = new Runner(options.build());
        if (given.shouldList()) {
            runner.list();
            return;
        }
        Figures figures = Figures.of(runner.run());
        System.out.println();
        figures.conclusions().forEach(System.out::println);
        if (figures.has(ofC)) {
            StubComparison.lines().forEach(System.out::println);
        }
    }
}
