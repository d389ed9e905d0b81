// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.lnet.Monitor;
import dev.verbena.cli.options.Checks;
import dev.verbena.cli.output.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Queries an LNet node that runs in another process of this machine. */
abstract class LnetLookCommand implements Callable<Integer> {
    private static final String PREFIX = "verbena-lnet-";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private boolean help;

    @Option(
            names = "--monitor",
            paramLabel = "PATH",
            description = "The socket that 'up' printed. Default: the socket of the only running node.")
    private @Nullable Path monitor;

    static Path socketOf(@Nullable Path given, String nid) {
        return given != null ? given : directory().resolve(PREFIX + nid);
    }

    private static Path directory() {
        return Path.of(Objects.requireNonNull(System.getProperty("java.io.tmpdir"), "java.io.tmpdir"));
    }

    List<String> ask(String question) throws IOException {
        return Monitor.ask(monitor != null ? monitor : onlyOne(), question);
    }

    private Path onlyOne() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory(), PREFIX + "*")) {
            for (Path each : all) {
                // A node that was killed cannot delete its socket file.
                if (Monitor.isUp(each)) {
                    found.add(each);
                }
            }
        }
        if (found.size() != 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    found.isEmpty()
                            ? "no node runs; start one with 'verbena lnet up'"
                            : "several nodes run; select one with --monitor: " + found);
        }
        return found.getFirst();
    }

    /** Throws if the user set the option to a value outside the range. */
    void require(String option, @Nullable Integer value, int least, int most) {
        Checks.range(option, value, least, most).ifPresent(complaint -> {
            throw wrong(complaint);
        });
    }

    ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Prints lines as a table: each word of a line is a cell. */
    void print(List<String> lines) {
        Table table = new Table();
        lines.forEach(line -> table.row(line.split(" ", -1)));
        table.print(out());
        out().flush();
    }

    @Command(name = "stats", description = "Print the counters of a node since its start.")
    static final class Stats extends LnetLookCommand {
        @Option(names = "--watch", description = "Print the counters periodically, with their increase in a second.")
        private boolean watch;

        @Option(names = "--interval", paramLabel = "SECONDS", description = "With --watch: the interval. Default: 1.")
        private @Nullable Integer interval;

        @Option(
                names = "--count",
                paramLabel = "N",
                description = "With --watch: the number of repetitions. Default: no limit.")
        private @Nullable Integer count;

        @Override
        public Integer call() throws Exception {
            require("--interval", interval, 1, Integer.MAX_VALUE);
            require("--count", count, 1, Integer.MAX_VALUE);
            if (!watch && (interval != null || count != null)) {
                throw wrong("--interval and --count require --watch");
            }
            int seconds = interval == null ? 1 : interval;
            Map<String, Long> before = read();
            print(before.entrySet().stream()
                    .map(entry -> entry.getKey() + " " + entry.getValue())
                    .toList());
            CountDownLatch never = new CountDownLatch(1);
            for (long i = 0; watch && (count == null || i < count) && !never.await(seconds, TimeUnit.SECONDS); i++) {
                Map<String, Long> now = read();
                Map<String, Long> last = before;
                print(now.entrySet().stream()
                        .filter(entry -> !entry.getValue().equals(last.getOrDefault(entry.getKey(), 0L)))
                        .map(entry -> entry.getKey() + " " + entry.getValue() + " "
                                + (entry.getValue() - last.getOrDefault(entry.getKey(), 0L)) / seconds + "/s")
                        .toList());
                before = now;
            }
            return CommandLine.ExitCode.OK;
        }

        private Map<String, Long> read() throws IOException {
            Map<String, Long> counters = new LinkedHashMap<>();
            for (String line : ask("stats")) {
                int space = line.indexOf(' ');
                counters.put(line.substring(0, space), Long.valueOf(line.substring(space + 1)));
            }
            return counters;
        }
    }

    @Command(name = "show", description = "Print a node's peers, connections, credits, or tx and registration pools.")
    static final class Show extends LnetLookCommand {
        enum What {
            PEERS,
            CONNS,
            CREDITS,
            POOLS
        }

        @Parameters(paramLabel = "WHAT", description = "The list to print: peers, conns, credits or pools.")
        @SuppressWarnings("NullAway.Init") // Required by picocli.
        private What what;

        @Override
        public Integer call() throws Exception {
            switch (what) {
                case PEERS -> print(ask("peers"));
                case CONNS -> print(ask("conns"));
                case CREDITS -> ask("credits").forEach(out()::println);
                case POOLS -> ask("pools").forEach(out()::println);
            }
            out().flush();
            return CommandLine.ExitCode.OK;
        }
    }
}
