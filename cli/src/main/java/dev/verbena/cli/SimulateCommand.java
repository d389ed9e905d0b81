// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.cluster.ClusterDescription;
import dev.verbena.cli.cluster.ClusterOutcome;
import dev.verbena.cli.cluster.ClusterPage;
import dev.verbena.cli.cluster.ClusterRun;
import dev.verbena.cli.options.ByteSize;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.output.Failures;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.output.Table;
import dev.verbena.cli.tools.Replacement;
import dev.verbena.lnd.LnetNode;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbena lnet simulate}: runs a cluster of LNet nodes in virtual time. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = {
            "Run a cluster of LNet nodes in virtual time: random PUTs and GETs between them,"
                    + " while nodes crash and restart and the network is partitioned and healed.",
            "",
            "FILE describes the cluster in YAML. Every line is optional:",
            "  nodes: 8            number of nodes",
            "  peers: 7            number of peers of each node; even, or all",
            "  seed: 1             seed of all random choices",
            "  time: 1m            duration of the traffic, in virtual time",
            "  messages: 10000     total number of PUTs and GETs",
            "  puts: 50%%           share of PUTs among the messages",
            "  sizes: [64, 4K, 64K]  message sizes in bytes",
            "  latency: 1us        latency of each link",
            "  rate: 100Gbps       bandwidth of each link",
            "  loss: 0%%            share of packets that are lost",
            "  memory: 16M         bytes that each node registers",
            "  crashes: 0          number of crashes",
            "  outage: 2s..60s     time from a crash to the restart",
            "  partitions: 0       number of partitions",
            "  split: 5s..60s      duration of a partition",
            "",
            "The exit code is 0 if no message was lost or duplicated and nothing was leaked. The"
                    + " same file always gives the same hash.",
            ""
        })
final class SimulateCommand implements Callable<Integer> {
    /** This constant keeps the logger reachable, because a garbage-collected logger loses its level. */
    private static final Logger NODES = Logger.getLogger(LnetNode.class.getPackageName());

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected by picocli before the command runs.
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FILE", description = "The description.")
    @SuppressWarnings("NullAway.Init") // Injected by picocli before the command runs.
    private Path file;

    @Option(
            names = "--report",
            paramLabel = "PAGE.html",
            description = "Write an HTML page with charts of the simulation over virtual time.")
    private @Nullable Path report;

    @Override
    public Integer call() throws VerbsException, IOException {
        ClusterDescription description = read();
        // At its start, each LNet node warns that its peers can write to all of its memory. All peers in a simulation
        // are trusted, because they run in this process. The log level SEVERE suppresses the warnings.
        NODES.setLevel(Level.SEVERE);
        try (Replacement page = report == null ? null : open(report)) {
            ClusterOutcome outcome = run(description);
            if (page != null) {
                ByteBuffer bytes = ByteBuffer.wrap(ClusterPage.of(outcome).getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    page.channel().write(bytes);
                }
                page.commit();
            }
            return outcome.isGood() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private ClusterOutcome run(ClusterDescription description) throws VerbsException {
        ProgressBar progress =
                new ProgressBar(spec.commandLine().getErr(), ProgressBar.isTerminal(), Clock.systemUTC());
        long began = System.nanoTime();
        ClusterOutcome outcome = new ClusterRun(
                        description,
                        sample -> progress.show(
                                "virtual time",
                                sample.at().toMillis(),
                                description.time().toMillis()))
                .run();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        progress.clear();
        print(outcome, took, spec.commandLine().getOut());
        return outcome;
    }

    private ClusterDescription read() {
        try {
            return ClusterFile.read(file);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Opens the file of the HTML page before the simulation, so that a file that cannot be written is reported immediately.
     * An existing HTML page is replaced only when the new HTML page is complete.
     */
    private Replacement open(Path path) {
        try {
            if (Files.exists(path) && Files.isSameFile(path, file)) {
                throw new ParameterException(
                        spec.commandLine(), "--report '" + path + "' is FILE itself; name another file");
            }
            return Replacement.of(path);
        } catch (FileSystemException e) {
            throw wrong("--report '" + path + "' cannot be written: " + Failures.reason(e), e);
        } catch (IOException e) {
            throw wrong("--report '" + path + "' cannot be written: " + e.getMessage(), e);
        }
    }

    private ParameterException wrong(String what, Exception cause) {
        return new ParameterException(spec.commandLine(), what, cause);
    }

    private static void print(ClusterOutcome outcome, Duration took, PrintWriter out) {
        ClusterDescription description = outcome.description();
        Runtime machine = Runtime.getRuntime();
        new Table()
                .row("nodes", description.nodes())
                .row("peers of each", description.peers())
                .row("started", outcome.started())
                .row("delivered", outcome.delivered())
                .row("failed or not answered", outcome.failed())
                .row("initiator died", outcome.orphaned())
                .row("crashes", outcome.crashes())
                .row("partitions healed", outcome.partitions())
                .row("broken promises", outcome.violated())
                .row(
                        "virtual time",
                        description.time().toSeconds() + " s, then "
                                + outcome.time().minus(description.time()).toSeconds() + " s of rest")
                .row("events", outcome.events())
                .row("wall time", String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1000.0))
                .row("heap in use", new ByteSize(machine.totalMemory() - machine.freeMemory() >> 20 << 20).toString())
                .print(out);
        outcome.violations().forEach(out::println);
        out.println("seed " + description.seed() + ", hash " + outcome.hash());
    }
}
