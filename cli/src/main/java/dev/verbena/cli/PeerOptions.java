package dev.verbena.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of tools whose ends meet over TCP: who the server is, with which device, and how long to wait. */
final class PeerOptions {
    private static final int MAX_PORT = 65_535;
    private static final Duration COME_PATIENCE = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            description = "The server to connect to; be the server if left out.")
    private @Nullable String server;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "TCP port where addresses are exchanged. Default: 18515.")
    private int tcpPort = 18_515;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            converter = BindConverter.class,
            description =
                    "Without HOST: where to listen for the exchange of addresses; 0.0.0.0 for all interfaces. Default: the"
                            + " address of --local, or else 127.0.0.1.")
    private @Nullable InetAddress bind;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = "The device to use. Default: the first one.")
    private @Nullable String device;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = "The port of the device. Default: 1.")
    private int port = 1;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "How long to wait for the other end. Default: 60; for a client to come 600.")
    private @Nullable Integer wait;

    /** What is wrong with the options, if anything is. */
    Optional<String> complaint() {
        if (server != null && server.isBlank()) {
            return Optional.of("HOST is empty; leave it out to be the server");
        }
        return Checks.firstOf(List.of(
                Checks.range("--port", tcpPort, 0, MAX_PORT),
                Checks.range("--ib-port", port, 1, 0xFF),
                Checks.range("--wait", wait, 1, Integer.MAX_VALUE)));
    }

    /** The server; empty for being it. */
    Optional<String> server() {
        return Optional.ofNullable(server);
    }

    /** Where a server listens for the exchange of addresses: beyond loopback only if an option names the address. */
    InetSocketAddress listenAt(DeviceOptions devices) {
        InetAddress at = bind != null
                ? bind
                : devices.local().map(InetSocketAddress::getAddress).orElseGet(UdpNetwork.ANY_PORT::getAddress);
        return new InetSocketAddress(at, tcpPort);
    }

    int tcpPort() {
        return tcpPort;
    }

    /** The name of the device, or null for any. */
    @Nullable String device() {
        return device;
    }

    int port() {
        return port;
    }

    /** How long a server waits for its client. */
    Duration comePatience() {
        return orWait(COME_PATIENCE);
    }

    /** How long to wait for anything else. */
    Duration patience() {
        return orWait(PATIENCE);
    }

    private Duration orWait(Duration usual) {
        return wait == null ? usual : Duration.ofSeconds(wait);
    }
}
