// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * A TCP connection to a conformance agent. Each connection has its own thread, so that a silent, slow or faulty client
 * affects no other connection. Only one connection at a time uses the agent's device, because two clients would disturb
 * each other's tests.
 *
 * <p>Each blocking call on the connection's socket, and each use of the agent's device, has a deadline. When a deadline has
 * passed, the conformance agent's accepting thread closes the socket of the connection.
 */
final class AgentConnection {
    private static final System.Logger LOGGER = System.getLogger(AgentConnection.class.getName());
    private static final Duration HELLO = Duration.ofSeconds(5);

    private final Socket socket;
    private final Duration patience;
    private final Duration turn;
    private final Optional<SharedSecret> secret;
    private final Introduction introduction;
    private final Supplier<LocalEndpoint> endpoints;
    private final Lock device;
    private final Thread thread;
    private volatile boolean introduced;
    private volatile boolean waiting;
    private volatile long deadline;
    private volatile boolean hasTurn;
    private volatile long turnEnds;

    /**
     * @param socket the socket to the client; closed at the latest when the connection's thread exits
     * @param patience the maximum time to wait for the client's next request, or for the client to read a reply
     * @param turn the maximum time for which this connection may hold the lock of the device
     * @param secret the shared secret; if set, the agent authenticates the client before it parses any other data from the
     *     client
     * @param device the lock of the device; held from the client's first {@link Step} until the client's objects are closed
     */
    AgentConnection(
            Socket socket,
            Duration patience,
            Duration turn,
            Optional<SharedSecret> secret,
            Introduction introduction,
            Supplier<LocalEndpoint> endpoints,
            Lock device) {
        this.socket = socket;
        this.patience = patience;
        this.turn = turn;
        this.secret = secret;
        this.introduction = introduction;
        this.endpoints = endpoints;
        this.device = device;
        expect(HELLO);
        thread = Thread.ofPlatform()
                .daemon()
                .name("conformance agent, " + socket.getRemoteSocketAddress())
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /** Returns whether the client has sent a valid handshake message and, if a secret is set, has authenticated. */
    boolean isIntroduced() {
        return introduced;
    }

    boolean isOverdue() {
        return (waiting && System.nanoTime() - deadline > 0) || (hasTurn && System.nanoTime() - turnEnds > 0);
    }

    /** Closes the socket. The connection's thread completes the current {@link Step} and then exits. */
    void end() {
        try {
            socket.close();
        } catch (IOException broken) {
            LOGGER.log(System.Logger.Level.DEBUG, "the socket cannot be closed", broken);
        }
    }

    void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException early) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void expect(Duration time) {
        deadline = System.nanoTime() + time.toNanos();
        waiting = true;
    }

    private void run() {
        String peer = String.valueOf(socket.getRemoteSocketAddress());
        try (socket;
                ControlChannel channel = open()) {
            introduced = true;
            // A connection locks the device only when its client sends the first `Step`, so that an idle client does
            // not delay other clients.
            Step first = receive(channel);
            device.lock();
            turnEnds = System.nanoTime() + turn.toNanos();
            hasTurn = true;
            try {
                introduction.met(channel.introduction());
                serve(channel, first);
            } finally {
                hasTurn = false;
                device.unlock();
            }
        } catch (EOFException ended) {
            LOGGER.log(System.Logger.Level.DEBUG, peer + " ended without a farewell");
        } catch (Throwable broken) {
            // Only errors after the handshake are logged as warnings, so that unknown clients cannot fill the log with
            // warnings.
            System.Logger.Level level = introduced ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG;
            LOGGER.log(level, "the connection of " + peer + " ends: " + broken, broken);
        }
    }

    private ControlChannel open() throws IOException {
        if (secret.isPresent()) {
            secret.get().require(socket, HELLO);
        }
        return new ControlChannel(socket, patience, introduction.ours());
    }

    private Step receive(ControlChannel channel) throws IOException {
        expect(patience);
        Step step = (Step) channel.receive(Step.class, patience);
        waiting = false;
        return step;
    }

    private void serve(ControlChannel channel, Step first) throws IOException {
        StepBounds bounds = new StepBounds();
        LocalEndpoint endpoint = endpoints.get();
        boolean closed = false;
        try {
            for (Step step = first; !closed; ) {
                Optional<Reply.Refusal> refusal = bounds.refusal(step);
                Reply reply = refusal.isPresent() ? refusal.get() : endpoint.perform(step);
                closed = step instanceof Step.CloseAll;
                expect(patience);
                channel.send(Reply.class, reply);
                if (!closed) {
                    step = receive(channel);
                }
            }
        } finally {
            waiting = false;
            if (!closed) {
                closeQuietly(endpoint);
            }
        }
    }

    private static void closeQuietly(LocalEndpoint endpoint) {
        try {
            endpoint.close();
        } catch (RuntimeException refused) {
            LOGGER.log(System.Logger.Level.WARNING, "an object stays open", refused);
        }
    }
}
