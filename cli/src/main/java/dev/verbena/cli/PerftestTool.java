package dev.verbena.cli;

import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.perftest.Perftest;
import dev.verbena.cli.perftest.PerftestReport;
import dev.verbena.cli.perftest.PerftestSettings;
import dev.verbena.cli.perftest.PerftestVerb;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A test of {@code verbena perftest}: one end of it, or both. */
@Command(mixinStandardHelpOptions = true, versionProvider = VersionProvider.class)
final class PerftestTool extends DeviceTool {
    private static final int MAX_PORT = 65_535;
    private static final Duration COME_PATIENCE = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            description = "The server to connect to; be the server if left out.")
    private @Nullable String server;

    @Option(names = "--loopback", description = "Be both ends.")
    private boolean loopback;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "TCP port where the two ends talk. Default: 18515.")
    private int tcpPort = 18_515;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = "The device to use. Default: the first one.")
    private @Nullable String name;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the numbers into a file, too.")
    private @Nullable Path json;

    @Mixin
    private PerftestOptions options = new PerftestOptions();

    private final PerftestVerb verb;
    private final boolean bandwidth;

    PerftestTool(PerftestVerb verb, boolean bandwidth) {
        this.verb = verb;
        this.bandwidth = bandwidth;
    }

    @Override
    int run() throws Exception {
        Checks.firstOf(List.of(options.complaint(verb, bandwidth), Checks.range("--port", tcpPort, 0, MAX_PORT)))
                .ifPresent(complaint -> {
                    throw wrong(complaint);
                });
        if (loopback && server != null) {
            throw wrong("--loopback is both ends; leave out " + server);
        }
        if (!loopback && devices().isAlone()) {
            throw wrong("--fabric in-process leads to no other process; be both ends with --loopback");
        }
        if (loopback) {
            runBoth();
        } else {
            runOne();
        }
        return CommandLine.ExitCode.OK;
    }

    private PerftestReport report() {
        return new PerftestReport(commandLine().getOut(), Optional.ofNullable(json));
    }

    private void runOne() throws Exception {
        try (DeviceOptions.Devices open = devices().openToTalk(Optional.ofNullable(server));
                Device device = open.provider().open(open.choose(name).getFirst());
                PeerLink link = server != null ? PeerLink.connect(server, tcpPort, patience()) : awaitClient()) {
            new Perftest(device, settings(device), server != null, link, report()).run();
        }
    }

    private Duration patience() {
        return options.patience(PATIENCE);
    }

    private PeerLink awaitClient() throws Exception {
        try (ServerSocket listener = PeerLink.listen(tcpPort)) {
            PrintWriter out = commandLine().getOut();
            out.println("Waiting for client to connect to port " + listener.getLocalPort() + " ...");
            out.flush();
            return PeerLink.accept(listener, options.patience(COME_PATIENCE), patience());
        }
    }

    private PerftestSettings settings(Device device) throws VerbsException {
        return options.settings(
                verb, bandwidth, device.queryPort(options.port()).activeMtu(), patience());
    }

    /** Each end on a device of its own if there are two, and in a thread of its own. */
    private void runBoth() throws Exception {
        try (DeviceOptions.Devices open = devices().openBothEnds()) {
            List<String> names = open.choose(name);
            try (Device near = open.provider().open(names.getFirst());
                    Device far = open.provider().open(names.getLast())) {
                runBoth(near, far);
            }
        }
    }

    private void runBoth(Device near, Device far) throws Exception {
        try (ServerSocket listener = PeerLink.listen(0);
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            PerftestReport silent = new PerftestReport(new PrintWriter(Writer.nullWriter()), Optional.empty());
            Future<?> answering = thread.submit(() -> {
                try (PeerLink link = PeerLink.accept(listener, patience(), patience())) {
                    new Perftest(far, settings(far), false, link, silent).run();
                }
                return null;
            });
            String here = InetAddress.getLoopbackAddress().getHostAddress();
            try (PeerLink link = PeerLink.connect(here, listener.getLocalPort(), patience())) {
                new Perftest(near, settings(near), true, link, report()).run();
            } catch (ToolException | VerbsException failure) {
                thread.shutdownNow();
                throw failure;
            }
            await(answering);
        }
    }

    private static void await(Future<?> answering) throws Exception {
        try {
            answering.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }
}
