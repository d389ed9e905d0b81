package dev.verbena.cli.lnet;

import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.perftest.Perftest;
import dev.verbena.cli.perftest.PerftestReport;
import dev.verbena.cli.perftest.PerftestSettings;
import dev.verbena.cli.perftest.PerftestVerb;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What RDMA WRITE of 1 MiB does on the devices of two nodes, for comparison: as {@code verbena perftest write-bw} measures it. */
public final class RawWrite {

    private static final int SIZE = 1 << 20;
    private static final int ITERATIONS = 64;
    private static final int DEPTH = 8;
    private static final int ACK_TIMEOUT = 17;
    private static final int PORT = 1;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private RawWrite() {}

    private static PerftestSettings settings(Device device) throws VerbsException {
        return new PerftestSettings(
                PerftestVerb.WRITE,
                true,
                QpType.RC,
                List.of(SIZE),
                ITERATIONS,
                Optional.empty(),
                1,
                DEPTH,
                DEPTH,
                1,
                1,
                0,
                false,
                device.queryPort(PORT).activeMtu(),
                GidSelector.automatic(),
                AckTimeout.ofCode(ACK_TIMEOUT),
                false,
                PORT,
                PATIENCE);
    }

    /**
     * Measures as the one who writes.
     *
     * @param device the device to use
     * @param server where the other end listens
     * @return MiB a second
     * @throws Exception if the other end does not answer, or a request failed
     */
    public static double measure(Device device, InetSocketAddress server) throws Exception {
        PerftestReport report = silent();
        try (PeerLink link = PeerLink.connect(server.getHostString(), server.getPort(), PATIENCE)) {
            new Perftest(device, settings(device), true, link, report).run();
        }
        return report.mebibytesPerSecond();
    }

    private static PerftestReport silent() {
        return new PerftestReport(new PrintWriter(Writer.nullWriter()), Optional.empty());
    }

    /** Lets itself be written to, by one after the other. */
    public static final class Server implements Closeable {
        private final Device device;
        private final ServerSocket listener;
        private final Thread thread;

        /**
         * Starts to listen.
         *
         * @param device the device to use, which stays open
         * @param port TCP port, 0 for any that is free
         * @throws IOException if the port is taken
         */
        public Server(Device device, int port) throws IOException {
            this.device = device;
            listener = PeerLink.listen(port);
            thread = Thread.ofPlatform().daemon().name("raw-write").start(this::serve);
        }

        /**
         * The port.
         *
         * @return the TCP port, also where the system chose it
         */
        public int port() {
            return listener.getLocalPort();
        }

        private void serve() {
            while (!listener.isClosed()) {
                try (PeerLink link = PeerLink.accept(listener, Duration.ofDays(1), PATIENCE)) {
                    new Perftest(device, settings(device), false, link, silent()).run();
                } catch (InterruptedException e) {
                    return;
                } catch (Exception e) {
                    // The other end is told, or is gone; the next one may fare better.
                }
            }
        }

        @Override
        public void close() throws IOException {
            thread.interrupt();
            listener.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
