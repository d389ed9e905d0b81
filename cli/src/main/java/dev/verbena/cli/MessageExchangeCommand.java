// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.CmTool;
import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.tools.MessageExchange;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbena rdma-client} and {@code rdma-server}, whose peer may be one of librdmacm's own programs. */
abstract class MessageExchangeCommand extends CmTool {
    @Option(names = "-p", paramLabel = "PORT", description = "The port in the port space TCP. Default: 7471.")
    private int port = MessageExchange.PORT;

    @Command(
            name = "rdma-client",
            description = "Send a message of 16 bytes to rdma_server or rdma-server over rdma_cm, and receive one.")
    static final class Client extends MessageExchangeCommand {
        @Option(names = "-s", paramLabel = "ADDRESS", description = "The server to connect to. Default: 127.0.0.1.")
        private String address = "127.0.0.1";

        @Override
        protected int run() throws Exception {
            return exchange(false, address);
        }
    }

    @Command(
            name = "rdma-server",
            description = "Receive a message of 16 bytes from rdma_client or rdma-client over rdma_cm, and send one.")
    static final class Server extends MessageExchangeCommand {
        @Option(
                names = "-s",
                paramLabel = "ADDRESS",
                description = "The address to listen on. Default: any address of the device.")
        private @Nullable String address;

        @Override
        protected int run() throws Exception {
            return exchange(true, address);
        }
    }

    final int exchange(boolean server, @Nullable String address) throws Exception {
        requirePort(port);
        InetAddress at = resolve("-s", address);
        try (DeviceOptions.Devices open = open(server, at, null);
                MessageExchange exchange = new MessageExchange(
                        connections(open.provider()),
                        open.provider().runtime(),
                        server,
                        endpoint(server, at, port),
                        patience(),
                        commandLine().getOut())) {
            if (server) {
                announce(open, at, port);
            }
            return interruptibly(exchange::interrupt, () -> {
                exchange.start();
                exchange.await();
                return CommandLine.ExitCode.OK;
            });
        }
    }
}
