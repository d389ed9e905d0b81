// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.CmTool;
import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.tools.Rping;
import dev.verbena.cli.tools.RpingSettings;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code verbena rping}; its peer may be the {@code rping} of librdmacm. */
@Command(
        name = "rping",
        description = "Let a server READ data and WRITE it back over a connection of rdma_cm, with rping or"
                + " another verbena rping as the peer.")
final class RpingCommand extends CmTool {
    @Option(names = "-s", description = "Be the server.")
    private boolean server;

    @Option(names = "-c", description = "Be the client.")
    private boolean client;

    @Option(
            names = "-a",
            paramLabel = "ADDRESS",
            description = "The address to connect to; for a server, the address to listen on. Default for a"
                    + " server: any address of the device.")
    private @Nullable String address;

    @Option(names = "-I", paramLabel = "ADDRESS", description = "The source address of a client.")
    private @Nullable String source;

    @Option(names = "-p", paramLabel = "PORT", description = "The port in the port space TCP. Default: 7174.")
    private int port = RpingSettings.PORT;

    @Option(names = "-S", paramLabel = "SIZE", description = "The size of a ping in bytes, 23 to 65535. Default: 64.")
    private int size = RpingSettings.USUAL_SIZE;

    @Option(names = "-C", paramLabel = "COUNT", description = "The number of pings. Default: no limit.")
    private int count;

    @Option(names = "-v", description = "Print the data.")
    private boolean verbose;

    @Option(names = "-V", description = "Compare the data.")
    private boolean validate;

    @Option(names = "-d", description = "Print each step.")
    private boolean debug;

    @Option(names = "-P", description = "Be a persistent server, which accepts further clients.")
    private boolean persistent;

    @Override
    protected int run() throws Exception {
        if (server == client) {
            throw wrong("be the server with -s, or the client with -c");
        }
        if (client && address == null) {
            throw wrong("a client needs -a, the address of the server");
        }
        if (server && source != null) {
            throw wrong("-I is for a client");
        }
        requirePort(port);
        require("-S", size, RpingSettings.MIN_SIZE, RpingSettings.MAX_SIZE);
        require("-C", count, 0, Integer.MAX_VALUE);
        InetAddress at = resolve("-a", address);
        InetAddress from = resolve("-I", source);
        RpingSettings settings = new RpingSettings(
                server,
                endpoint(server, at, port),
                from,
                size,
                count,
                verbose,
                validate,
                debug,
                persistent,
                patience());
        try (DeviceOptions.Devices open = open(server, at, from);
                Rping rping = new Rping(
                        connections(open.provider()),
                        open.provider().runtime(),
                        settings,
                        commandLine().getOut())) {
            if (server) {
                announce(open, at, port);
            }
            return interruptibly(rping::interrupt, () -> {
                rping.start();
                rping.await();
                return CommandLine.ExitCode.OK;
            });
        }
    }
}
