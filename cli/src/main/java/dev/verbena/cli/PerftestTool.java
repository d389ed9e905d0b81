// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.Checks;
import dev.verbena.cli.options.CmTool;
import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.DeviceTool;
import dev.verbena.cli.options.PeerOptions;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.output.OutputFiles;
import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.perftest.PeerListener;
import dev.verbena.cli.perftest.Perftest;
import dev.verbena.cli.perftest.PerftestReport;
import dev.verbena.cli.perftest.PerftestSettings;
import dev.verbena.cli.perftest.PerftestVerb;
import dev.verbena.cli.tools.Exposure;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

/** A test of {@code verbena perftest}. One process runs the client of the perftest, the server, or both. */
@Command(mixinStandardHelpOptions = true, versionProvider = VersionProvider.class)
final class PerftestTool extends DeviceTool {
    @Option(names = "--loopback", description = "Run both the client and the server.")
    private boolean loopback;

    @Option(
            names = {"--json", "--out_json_file"},
            paramLabel = "FILE",
            description = "Also write the results to this file, and replace its content. Only the client writes FILE.")
    private @Nullable Path json;

    @Option(
            names = {"-R", "--rdma_cm"},
            description = "Connect the queue pairs by rdma_cm.")
    private boolean rdmaCm;

    @Mixin
    private PeerOptions peer = new PeerOptions();

    @Mixin
    private PerftestOptions options = new PerftestOptions();

    private final PerftestVerb verb;
    private final boolean bandwidth;

    PerftestTool(PerftestVerb verb, boolean bandwidth) {
        this.verb = verb;
        this.bandwidth = bandwidth;
    }

    @Override
    protected int run() throws Exception {
        Checks.firstOf(List.of(options.complaint(verb, bandwidth, rdmaCm), peer.complaint()))
                .ifPresent(complaint -> {
                    throw wrong(complaint);
                });
        Optional<String> server = peer.server();
        if (loopback && server.isPresent()) {
            throw wrong("--loopback runs both ends in this process; omit " + server.get());
        }
        if (json != null && !loopback && server.isEmpty()) {
            throw wrong("--json is for the client, which measures; this is the server");
        }
        if (!loopback && devices().isAlone()) {
            throw wrong("--fabric in-process cannot reach another process; run both ends here with --loopback");
        }
        if (json != null) {
            OutputFiles.complaint("--json", json).ifPresent(complaint -> {
                throw wrong(complaint);
            });
        }
        if (loopback) {
            runBoth();
        } else {
            runOne(server);
        }
        return CommandLine.ExitCode.OK;
    }

    private PerftestReport report() {
        return new PerftestReport(commandLine().getOut(), Optional.ofNullable(json), options.unit());
    }

    private void runOne(Optional<String> server) throws Exception {
        try (DeviceOptions.Devices open = devices().openToTalk(server);
                Device device = open.provider().open(open.choose(peer.device()).getFirst());
                PeerLink link = server.isPresent()
                        ? PeerLink.connect(server.get(), peer.tcpPort(), patience())
                        : awaitClient()) {
            perftest(open.provider(), device, server.isPresent(), link, report())
                    .run();
        }
    }

    private Duration patience() {
        return peer.patience();
    }

    private PeerLink awaitClient() throws Exception {
        try (PeerListener listener = new PeerListener(peer.listenAt(devices()))) {
            PrintWriter out = commandLine().getOut();
            out.println("Waiting for client to connect to port "
                    + listener.address().getPort() + " of "
                    + listener.address().getAddress().getHostAddress() + " ..."
                    + Exposure.OPEN.at(listener.address().getAddress()));
            out.flush();
            return listener.accept(peer.comePatience(), patience());
        }
    }

    private PerftestSettings settings(Device device) throws VerbsException {
        return options.settings(
                verb, bandwidth, peer.port(), device.queryPort(peer.port()).activeMtu(), patience());
    }

    /** Runs the client and the server, each in its own thread and, if there are two devices, on its own device. */
    private void runBoth() throws Exception {
        try (DeviceOptions.Devices open = devices().openBothEnds()) {
            List<String> names = open.choose(peer.device());
            try (Device near = open.provider().open(names.getFirst());
                    Device far = open.provider().open(names.getLast())) {
                runBoth(open.provider(), near, far);
            }
        }
    }

    private Perftest perftest(
            VerbsProvider provider, Device device, boolean client, PeerLink link, PerftestReport report)
            throws Exception {
        PerftestSettings settings = settings(device);
        return rdmaCm
                ? Perftest.byRdmaCm(CmTool.connections(provider), device, settings, client, link, report)
                : new Perftest(device, settings, client, link, report);
    }

    @SuppressWarnings("try") // Closing the listener makes the server thread exit, even if the client failed.
    private void runBoth(VerbsProvider provider, Device near, Device far) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (PeerListener listener = new PeerListener(new InetSocketAddress(here, 0));
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            PerftestReport silent =
                    new PerftestReport(new PrintWriter(Writer.nullWriter()), Optional.empty(), options.unit());
            Future<?> answering = thread.submit(() -> {
                try (PeerLink link = listener.accept(patience(), patience())) {
                    perftest(provider, far, false, link, silent).run();
                }
                return null;
            });
            try (PeerLink link =
                    PeerLink.connect(here.getHostAddress(), listener.address().getPort(), patience())) {
                perftest(provider, near, true, link, report()).run();
            } catch (Exception failure) {
                // The server may still be waiting for a connection. Closing the listener makes its accept method fail.
                listener.close();
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
