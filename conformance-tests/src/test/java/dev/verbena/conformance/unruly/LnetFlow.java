// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnd.O2ibTunables;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.TimedOperation;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Starts two LNet nodes on one device, sends a PUT by RDMA from the first node to the second one, and closes both. */
final class LnetFlow {
    private static final int PORTAL = 28;
    private static final long LENGTH = 8192;
    private static final Logger LOGGER = Logger.getLogger("dev.verbena.lnd");
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMillis(300);
    /** More than the time that the LND waits for the flushed requests of a connection. */
    private static final int MOST_SECONDS = 10;

    private static final O2ibTunables TUNABLES =
            O2ibTunables.builder().memory(4L << 20).timeout(TIMEOUT).build();

    static {
        LOGGER.setUseParentHandlers(false);
    }

    private LnetFlow() {}

    static void run(ConnectionManager manager) {
        Log log = new Log();
        int status;
        LOGGER.addHandler(log);
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> log.add(thrown.toString()));
        try {
            status = put(manager);
            if (status != 0) {
                log.awaitMessage();
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(null);
            LOGGER.removeHandler(log);
        }
        if (status != 0) {
            throw new AssertionError("the PUT ended with status " + status + ", the log has " + log.messages);
        }
    }

    private static int put(ConnectionManager manager) {
        try (Node first = Node.started(manager, "192.0.2.1");
                Node second = Node.started(manager, "192.0.2.3")) {
            second.receive();
            return first.put(second);
        } catch (VerbsException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The messages of the LND and the exceptions of handlers, which name the failed verb; an LNet event has only the errno. */
    private static final class Log extends Handler {
        private static final SimpleFormatter FORMATTER = new SimpleFormatter();

        private final Queue<String> messages = new ConcurrentLinkedQueue<>();
        private final CountDownLatch arrived = new CountDownLatch(1);

        void add(String message) {
            messages.add(message);
            arrived.countDown();
        }

        /**
         * Waits up to {@link #MOST_SECONDS} for a message. If a handler throws an exception, the handler ends the PUT first, and
         * the handler's thread reports the exception afterwards.
         */
        void awaitMessage() {
            try {
                arrived.await(MOST_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                throw new AssertionError("no thread interrupts this one", interrupted);
            }
        }

        @Override
        public void publish(LogRecord record) {
            add(FORMATTER.formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** A node whose failed close is repeated once. The exception of the first close is reported. */
    private record Node(LnetNode lnet) implements AutoCloseable {
        static Node started(ConnectionManager manager, String address) throws VerbsException {
            return new Node(
                    LnetNode.start(manager, InetAddress.ofLiteral(address), Nid.parse(address + "@o2ib"), TUNABLES));
        }

        void receive() throws VerbsException {
            lnet.attach(
                    MatchEntry.on(PORTAL).build(),
                    MemoryDescriptor.over(lnet.allocate(LENGTH))
                            .options(MdOption.OP_PUT)
                            .build());
        }

        /** Returns the status of a PUT to another node. */
        int put(Node other) throws VerbsException {
            CompletableFuture<TimedOperation.Result> result = new CompletableFuture<>();
            TimedOperation.start(
                    lnet,
                    MemoryDescriptor.over(lnet.allocate(LENGTH)).threshold(1),
                    LIMIT,
                    memory -> lnet.put(memory, false, other.lnet.id(), PORTAL, 0, 0, 0),
                    result::complete);
            try {
                return result.get(MOST_SECONDS, TimeUnit.SECONDS).status();
            } catch (InterruptedException | ExecutionException | TimeoutException endless) {
                throw new AssertionError("the PUT does not end", endless);
            }
        }

        @Override
        public void close() throws VerbsException {
            try {
                lnet.close(PATIENCE);
            } catch (VerbsException failed) {
                lnet.close(PATIENCE);
                throw failed;
            }
        }
    }
}
