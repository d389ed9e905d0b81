// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.cli.network.UdpNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of tools that exchange QP connection data over TCP: the server, the device, and the time limits. */
public final class PeerOptions {
    private static final int MAX_PORT = 65_535;
    private static final Duration COME_PATIENCE = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Parameters(arity = "0..1", paramLabel = "HOST", description = "The server to connect to. Default: be the server.")
    private @Nullable String server;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "The TCP port for the exchange of QP connection data. Default: 18515.")
    private int tcpPort = 18_515;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            converter = BindConverter.class,
            description = OptionTexts.BIND + " Default: 127.0.0.1, or the address of --local.")
    private @Nullable InetAddress bind;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = OptionTexts.DEVICE + " Default: the first one.")
    private @Nullable String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = OptionTexts.DEVICE_PORT + " Default: 1.")
    private int port = 1;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = OptionTexts.WAIT + " Default: 60; for the connection of a client, 600.")
    private @Nullable Integer wait;

    public Optional<String> complaint() {
        if (server != null && server.isBlank()) {
            return Optional.of("HOST is empty; omit HOST to run the server");
        }
        return Checks.firstOf(List.of(
                Checks.range("--port", tcpPort, 0, MAX_PORT),
                Checks.range("--ib-port", port, 1, 0xFF),
                Checks.range("--wait", wait, 1, Integer.MAX_VALUE)));
    }

    /** The host name of the server, or empty if this process is the server. */
    public Optional<String> server() {
        return Optional.ofNullable(server);
    }

    /**
     * The IP address and TCP port on which a server listens for the exchange of QP connection data. The default is a
     * loopback address, and only an option can select another IP address.
     */
    public InetSocketAddress listenAt(DeviceOptions devices) {
        InetAddress at = bind != null
                ? bind
                : devices.local().map(InetSocketAddress::getAddress).orElseGet(UdpNetwork.ANY_PORT::getAddress);
        return new InetSocketAddress(at, tcpPort);
    }

    public int tcpPort() {
        return tcpPort;
    }

    public @Nullable String device() {
        return device;
    }

    public int port() {
        return port;
    }

    /** How long a server waits for its client to connect. */
    public Duration comePatience() {
        return orWait(COME_PATIENCE);
    }

    /** How long a tool waits for its peer; a server waits {@link #comePatience} for its client to connect. */
    public Duration patience() {
        return orWait(PATIENCE);
    }

    private Duration orWait(Duration usual) {
        return wait == null ? usual : Duration.ofSeconds(wait);
    }
}
