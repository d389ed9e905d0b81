// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.tools.Exposure;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.VerbsProvider;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A tool that uses rdma_cm to connect to an address and a port. When the process of an rdma_cm tool exits, also after a
 * signal, the tool disconnects its connections.
 */
public abstract class CmTool extends DeviceTool {
    private static final int MAX_PORT = 65_535;
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private boolean help;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = OptionTexts.WAIT + " Default: none, as in the original.")
    private @Nullable Integer wait;

    /** A running tool that another thread may interrupt. */
    @FunctionalInterface
    public interface Interruptible {
        void interrupt(Duration moment) throws InterruptedException;
    }

    @FunctionalInterface
    public interface Work {
        int run() throws Exception;
    }

    /**
     * Runs a tool. If a signal terminates the process during this call, the tool first disconnects its connections, so that
     * the peer is notified.
     */
    public static int interruptibly(Interruptible tool, Work work) throws Exception {
        Thread farewell = new Thread(
                () -> {
                    try {
                        tool.interrupt(FAREWELL);
                    } catch (InterruptedException impatient) {
                        Thread.currentThread().interrupt();
                    }
                },
                "farewell");
        Runtime.getRuntime().addShutdownHook(farewell);
        try {
            return work.run();
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(farewell);
            } catch (IllegalStateException ending) {
                // The JVM removes no shutdown hook after the shutdown has begun. The hook disconnects the connections.
            }
        }
    }

    public static ConnectionManager connections(VerbsProvider provider) throws ToolException {
        return provider.extension(ConnectionManager.class)
                .orElseThrow(() -> new ToolException("provider " + provider.name() + " has no connection manager"));
    }

    /** Opens the devices of a server or a client. The server listens on the IP address, to which the client connects. */
    protected DeviceOptions.Devices open(boolean server, @Nullable InetAddress address, @Nullable InetAddress source)
            throws Exception {
        return devices().openToConnect(server, Optional.ofNullable(address), Optional.ofNullable(source));
    }

    /** Prints the server's listening address, which is the software device's address or the user's {@code address}. */
    protected void announce(DeviceOptions.Devices open, @Nullable InetAddress address, int port) {
        InetAddress usual = address != null ? address : InetAddress.getLoopbackAddress();
        Optional<InetAddress> at = open.udp().isPresent()
                ? Optional.of(
                        devices().local().map(InetSocketAddress::getAddress).orElse(usual))
                : Optional.ofNullable(address);
        commandLine()
                .getOut()
                .println("Listening at port " + port + " of "
                        + at.map(InetAddress::getHostAddress).orElse("all addresses of the devices")
                        + Exposure.OPEN.at(at.orElseGet(() -> new InetSocketAddress(0).getAddress())));
        commandLine().getOut().flush();
    }

    /**
     * Returns the listening address of a server, or the address of the server that a client connects to. With a loopback
     * address, a server listens on all its devices, and a client connects to the GID of device B.
     */
    protected static InetSocketAddress endpoint(boolean server, @Nullable InetAddress address, int port) {
        if (address == null) {
            return new InetSocketAddress(port);
        }
        if (!address.isLoopbackAddress()) {
            return new InetSocketAddress(address, port);
        }
        return server
                ? new InetSocketAddress(port)
                : new InetSocketAddress(
                        (address instanceof Inet6Address
                                        ? DevicesModule.B6
                                        : DevicesModule.B.addresses().getFirst())
                                .toAddress(),
                        port);
    }

    protected @Nullable InetAddress resolve(String option, @Nullable String host) {
        try {
            return host == null ? null : InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw wrong(option + " '" + host + "' is not an address, and the name cannot be resolved");
        }
    }

    /** Returns the time without progress after which the tool fails, or null for no limit. */
    protected @Nullable Duration patience() {
        require("--wait", wait == null ? 1 : wait, 1, Integer.MAX_VALUE);
        return wait == null ? null : Duration.ofSeconds(wait);
    }

    protected void requirePort(int port) {
        require("-p", port, 1, MAX_PORT);
    }
}
