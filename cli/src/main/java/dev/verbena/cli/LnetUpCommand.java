// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.lnet.Monitor;
import dev.verbena.cli.lnet.NodeView;
import dev.verbena.cli.lnet.RawWrite;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.options.BindConverter;
import dev.verbena.cli.options.ByteSize;
import dev.verbena.cli.options.CmTool;
import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.SecretOption;
import dev.verbena.cli.output.Endpoints;
import dev.verbena.cli.tools.Exposure;
import dev.verbena.cli.transfer.FileKeeper;
import dev.verbena.conformance.side.SharedSecret;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.ping.PingResponder;
import dev.verbena.lnet.selftest.SelftestServer;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena lnet up}: runs an LNet node until the process is stopped. */
@Command(
        name = "up",
        description = {
            "Run a node that answers pings, serves lnet_selftest, stores files, and reports its" + " state.",
            "",
            "Runs until a signal ends the process."
        })
final class LnetUpCommand extends LnetTool {
    private static final long LOOK_SECONDS = 1;
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--monitor",
            paramLabel = "PATH",
            description = "The path of the socket for 'stats' and 'show'. The default path is in the"
                    + " directory for temporary files. The default file name contains the NID.")
    private @Nullable Path monitor;

    @Option(
            names = "--raw-port",
            paramLabel = "PORT",
            description = "The TCP port for 'selftest --raw' (RDMA WRITE without LNet). Default: a free port.")
    private int rawPort;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            converter = BindConverter.class,
            description = OptionTexts.BIND + " The port is that of --raw-port. Default: 127.0.0.1.")
    private InetAddress bind = UdpNetwork.ANY_PORT.getAddress();

    @Option(
            names = "--keep",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "The maximum total size of the files that other nodes store on this node. A file that is not"
                    + " used for an hour is deleted. Default: 1G.")
    private ByteSize keep = new ByteSize(1L << 30);

    @Mixin
    private SecretOption secret = new SecretOption();

    @Option(
            names = "--for",
            paramLabel = "SECONDS",
            description = "The duration. Default: until the process is stopped.")
    private @Nullable Integer seconds;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    protected int run() throws Exception {
        require("--raw-port", rawPort, 0, MAX_PORT);
        require("--for", seconds == null ? 1 : seconds, 1, Integer.MAX_VALUE);
        LnetConfig settings = config();
        Optional<SharedSecret> required = secret.secretAt(bind);
        try {
            return CmTool.interruptibly(this::end, () -> serve(settings, required));
        } finally {
            closed.countDown();
        }
    }

    private void end(Duration patience) throws InterruptedException {
        ended.countDown();
        closed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private int serve(LnetConfig settings, Optional<SharedSecret> required) throws Exception {
        try (DeviceOptions.Devices open = openToServe(settings);
                LnetNode node = start(open, settings);
                PingResponder _ = PingResponder.start(node);
                SelftestServer selftest = SelftestServer.start(node);
                FileKeeper _ = new FileKeeper(node, keep.bytes());
                Device device = open.provider().open(deviceOf(open, node));
                RawWrite.Server raw = new RawWrite.Server(device, new InetSocketAddress(bind, rawPort), required)) {
            NodeView view = new NodeView(node, selftest);
            try (Monitor at =
                    new Monitor(LnetLookCommand.socketOf(monitor, node.nid().toString()), view::answer)) {
                announce(open, node, raw, at);
                watch(view);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private static String deviceOf(DeviceOptions.Devices open, LnetNode node) throws Exception {
        return LnetDevices.withAddress(open.provider(), LnetConfig.addressOf(node.nid()));
    }

    private void announce(DeviceOptions.Devices open, LnetNode node, RawWrite.Server raw, Monitor at) {
        PrintWriter out = commandLine().getOut();
        InetAddress own = LnetConfig.addressOf(node.nid());
        Optional<InetSocketAddress> udp = open.udp().map(fabric -> fabric.endpoint(Gid.ofAddress(own)));
        out.println(node.nid() + " is up"
                + udp.map(endpoint -> " at " + Endpoints.format(endpoint)).orElse("")
                + Exposure.OPEN.at(udp.map(InetSocketAddress::getAddress).orElse(own)));
        out.println("the server for raw RDMA WRITE listens at " + Endpoints.format(raw.address())
                + Exposure.SECRET.at(bind));
        out.println("inspect this node with lnet stats or lnet show and --monitor " + at.path());
        out.flush();
    }

    /** Reports a peer for which messages stall ({@link NodeView#hanging}), and again only after the peer has recovered. */
    private void watch(NodeView view) throws InterruptedException {
        long left = seconds == null ? Long.MAX_VALUE : seconds;
        List<String> known = new ArrayList<>();
        while (left > 0 && !ended.await(LOOK_SECONDS, TimeUnit.SECONDS)) {
            left -= LOOK_SECONDS;
            List<String> hanging = view.hanging(NodeView.PATIENCE);
            List<String> peers = hanging.stream()
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .toList();
            for (int i = 0; i < peers.size(); i++) {
                if (!known.contains(peers.get(i))) {
                    commandLine().getErr().println(hanging.get(i));
                    commandLine().getErr().flush();
                }
            }
            known = new ArrayList<>(peers);
        }
    }
}
