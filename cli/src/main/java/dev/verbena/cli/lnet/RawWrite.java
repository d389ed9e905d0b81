// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.lnet;

import dev.verbena.cli.perftest.BandwidthUnit;
import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.perftest.PeerListener;
import dev.verbena.cli.perftest.Perftest;
import dev.verbena.cli.perftest.PerftestReport;
import dev.verbena.cli.perftest.PerftestSettings;
import dev.verbena.cli.perftest.PerftestVerb;
import dev.verbena.conformance.side.SharedSecret;
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
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Measures RDMA WRITE of 1 MiB between the devices of two LNet nodes, as {@code verbena perftest write-bw} does. */
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
     * Measures RDMA WRITE as the client, and returns the bandwidth in MiB per second. If a secret is set, the client proves
     * to the server that it has the secret.
     */
    public static double measure(Device device, InetSocketAddress server, Optional<SharedSecret> secret)
            throws Exception {
        PerftestReport report = silent();
        try (PeerLink link = PeerLink.connect(server.getHostString(), server.getPort(), PATIENCE)) {
            if (secret.isPresent()) {
                link.prove(secret.get());
            }
            new Perftest(device, settings(device), true, link, report).run();
        }
        return report.mebibytesPerSecond();
    }

    private static PerftestReport silent() {
        return new PerftestReport(new PrintWriter(Writer.nullWriter()), Optional.empty(), BandwidthUnit.MEBIBYTES);
    }

    /**
     * Serves up to {@link #MOST_RUNS} measurements at a time, each on its own queue pair and with a deadline. If
     * {@link #MOST_RUNS} clients are connected, a new client replaces the oldest one, so that clients that stop
     * responding cannot block others.
     */
    public static final class Server implements Closeable {
        private static final int MOST_RUNS = 16;
        private static final Duration TURN = Duration.ofHours(1);

        private final Device device;
        private final PeerListener listener;
        private final Deque<PeerLink> links = new ConcurrentLinkedDeque<>();
        private final ExecutorService runs = new ThreadPoolExecutor(
                MOST_RUNS,
                MOST_RUNS,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_RUNS),
                Thread.ofPlatform().daemon().name("raw-write-", 0).factory());
        private final Thread thread;
        private volatile boolean closed;

        /**
         * Listens on the address; port 0 selects a free port. If a secret is set, only a client that has the same secret is
         * served. The device stays open. Throws {@link IOException} if the port is in use or no interface has the address.
         */
        public Server(Device device, InetSocketAddress at, Optional<SharedSecret> secret) throws IOException {
            this.device = device;
            listener = new PeerListener(at, secret);
            thread = Thread.ofPlatform().daemon().name("raw-write").start(this::serve);
        }

        public InetSocketAddress address() {
            return listener.address();
        }

        private void serve() {
            while (!closed) {
                try {
                    listener.next(TURN, PATIENCE).ifPresent(this::start);
                } catch (IOException | RuntimeException | Error e) {
                    // This client has disconnected, or memory is exhausted. The next client may succeed.
                }
            }
        }

        private void start(PeerLink link) {
            links.addLast(link);
            PeerLink oldest = links.peekFirst();
            if (links.size() > MOST_RUNS && oldest != null) {
                end(oldest);
            }
            try {
                runs.execute(() -> run(link));
            } catch (RejectedExecutionException busy) {
                end(link);
            }
        }

        private void run(PeerLink link) {
            CompletableFuture.delayedExecutor(PATIENCE.toSeconds(), TimeUnit.SECONDS, Runnable::run)
                    .execute(() -> end(link));
            try {
                new Perftest(device, settings(device), false, link, silent()).run();
            } catch (Throwable e) {
                // An exception stops only the measurement of one client. The worker thread must not exit, because it
                // also serves other clients. The client has received the error message, or has disconnected.
            } finally {
                end(link);
            }
        }

        private void end(PeerLink link) {
            links.remove(link);
            try {
                link.close();
            } catch (IOException gone) {
                // The JDK releases the file descriptor even if close throws.
            }
        }

        /** Stops all measurements, and waits up to {@code PATIENCE} until the measuring threads have exited. */
        @Override
        public void close() throws IOException {
            closed = true;
            try (listener) {
                runs.shutdownNow();
                links.forEach(this::end);
            }
            try {
                thread.join();
                links.forEach(this::end);
                runs.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
