// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.CmTool;
import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.tools.Ucmatose;
import dev.verbena.cli.tools.UcmatoseSettings;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.AckTimeout;
import java.net.InetAddress;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbena ucmatose}, whose peer may be librdmacm's own {@code ucmatose}. */
@Command(
        name = "ucmatose",
        description = "Make connections of rdma_cm and exchange messages over all of them, with ucmatose or"
                + " another verbena ucmatose as the peer. The exit code is the status of the failed"
                + " event.")
final class UcmatoseCommand extends CmTool {
    @Option(names = "-s", paramLabel = "ADDRESS", description = "The server to connect to. Default: be the server.")
    private @Nullable String server;

    @Option(
            names = "-b",
            paramLabel = "ADDRESS",
            description = "The address to listen on, or the source address of a client.")
    private @Nullable String bind;

    @Option(
            names = "-f",
            paramLabel = "FORMAT",
            description = "Accepted for compatibility and ignored: the address format, name, ip or ipv6.")
    private String format = "name";

    @Option(names = "-P", paramLabel = "PS", description = "The port space, tcp or ib. Default: tcp.")
    private String portSpace = "tcp";

    @Option(names = "-c", paramLabel = "N", description = "The number of connections. Default: 1.")
    private int connections = 1;

    @Option(
            names = "-C",
            paramLabel = "N",
            description = "The number of messages in each direction of a connection. Default: 10.")
    private int messages = 10;

    @Option(names = "-S", paramLabel = "SIZE", description = "The message size in bytes. Default: 100.")
    private int size = 100;

    @Option(names = "-t", paramLabel = "TOS", description = "Type of service.")
    private @Nullable Integer typeOfService;

    @Option(names = "-p", paramLabel = "PORT", description = "The port. Default: 7471.")
    private int port = UcmatoseSettings.PORT;

    @Option(
            names = "-a",
            paramLabel = "TIMEOUT",
            description = "The ACK timeout of a client: 4.096 us * 2^TIMEOUT, 0 to 31.")
    private @Nullable Integer ackTimeout;

    @Option(names = "-m", description = "Before disconnecting, migrate all connections to another event channel.")
    private boolean migrate;

    @Override
    protected int run() throws Exception {
        requirePort(port);
        require("-c", connections, 1, 10_000);
        require("-C", messages, 0, 10_000);
        require("-S", size, 0, 1 << 30);
        require("-t", typeOfService == null ? 0 : typeOfService, 0, 0xFF);
        require("-a", ackTimeout == null ? 0 : ackTimeout, 0, 31);
        if (!format.equals("name") && !format.equals("ip") && !format.equals("ipv6")) {
            throw wrong("-f '" + format + "' is none of name, ip and ipv6");
        }
        boolean listens = server == null;
        InetAddress own = resolve("-b", bind);
        InetAddress at = listens ? own : resolve("-s", server);
        UcmatoseSettings settings = new UcmatoseSettings(
                listens,
                endpoint(listens, at, port),
                listens ? null : own,
                portSpace(),
                connections,
                messages,
                size,
                typeOfService == null ? OptionalInt.empty() : OptionalInt.of(typeOfService),
                listens || ackTimeout == null ? null : AckTimeout.ofCode(ackTimeout),
                migrate,
                patience());
        try (DeviceOptions.Devices open = open(listens, at, listens ? null : own);
                Ucmatose ucmatose = new Ucmatose(
                        connections(open.provider()),
                        open.provider().runtime(),
                        settings,
                        commandLine().getOut())) {
            if (listens) {
                announce(open, own, port);
            }
            return interruptibly(ucmatose::interrupt, () -> {
                ucmatose.start();
                return ucmatose.await() & 0xFF;
            });
        }
    }

    private PortSpace portSpace() {
        return switch (portSpace) {
            case "tcp" -> PortSpace.TCP;
            case "ib" -> PortSpace.IB;
            default -> throw wrong("-P '" + portSpace + "' is neither tcp nor ib");
        };
    }
}
