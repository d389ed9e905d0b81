package dev.verbena.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks with the profiler of allocation and prints what they say when held against each other. Takes the options
 * of JMH.
 */
public final class Main {
    private Main() {}

    /**
     * Runs.
     *
     * @param arguments options of JMH, such as names of benchmarks; {@code -h} lists them
     * @throws CommandLineOptionException if an option is not one of JMH's
     * @throws RunnerException if a benchmark fails
     * @throws IOException if the help cannot be printed
     */
    public static void main(String[] arguments) throws CommandLineOptionException, RunnerException, IOException {
        CommandLineOptions given = new CommandLineOptions(arguments);
        if (given.shouldHelp()) {
            given.showHelp();
            return;
        }
        Runner runner = new Runner(new OptionsBuilder()
                .parent(given)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .build());
        if (given.shouldList()) {
            runner.list();
            return;
        }
        Figures figures = Figures.of(runner.run());
        System.out.println();
        figures.conclusions().forEach(System.out::println);
    }
}
