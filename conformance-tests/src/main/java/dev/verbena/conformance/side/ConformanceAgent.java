// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The far side of a conformance run in a process of its own: executes the steps of the near side on its device. Several
 * connections may be open; one after the other uses the device.
 */
public final class ConformanceAgent implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ConformanceAgent.class.getName());

    private static final int TICK_MILLIS = 100;

    /**
     * How long one connection may use the device: several times the duration of the slowest rule over a slow device.
     */
    private static final Duration TURN = Duration.ofMinutes(20);

    /** Connections that are open at once; a near side needs one. */
    private static final int MOST_CONNECTIONS = 32;

    private final ServerSocket server;
    private final Device device;
    private final Duration patience;
    private final Duration turnLimit;
    private final Introduction introduction;
    private final Lock turn = new ReentrantLock(true);
    private volatile Optional<ConnectionManager> connections = Optional.empty();
    private volatile Optional<SharedSecret> secret = Optional.empty();

    private ConformanceAgent(
            ServerSocket server, Device device, Duration patience, Duration turnLimit, Introduction introduction) {
        this.server = server;
        this.device = device;
        this.patience = patience;
        this.turnLimit = turnLimit;
        this.introduction = introduction;
    }

    /**
     * Begins to listen.
     *
     * @param address where; port 0 takes a free one
     * @param device the device to drive, which stays open
     * @param patience how long the near side may be silent until its connection counts as lost
     * @return a new agent, to be run
     * @throws IOException if the address is not available
     */
    public static ConformanceAgent listen(InetSocketAddress address, Device device, Duration patience)
            throws IOException {
        return listen(address, device, patience, Introduction.NONE);
    }

    /**
     * The same for networks whose addresses have to be exchanged first.
     *
     * @param address where; port 0 takes a free one
     * @param device the device to drive, which stays open
     * @param patience how long the near side may be silent until its connection counts as lost
     * @param introduction the texts that the two processes exchange first
     * @return a new agent, to be run
     * @throws IOException if the address is not available
     */
    public static ConformanceAgent listen(
            InetSocketAddress address, Device device, Duration patience, Introduction introduction) throws IOException {
        return listen(address, device, patience, TURN, introduction);
    }

    static ConformanceAgent listen(
            InetSocketAddress address, Device device, Duration patience, Duration turnLimit, Introduction introduction)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.bind(address);
            return new ConformanceAgent(server, device, patience, turnLimit, introduction);
        } catch (IOException refused) {
            server.close();
            throw refused;
        }
    }

    /**
     * Returns where it listens.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /**
     * Serves connections until it is closed; then waits until the last one has closed its objects. Anything that a
     * connection sends, or fails to send, affects only that connection.
     *
     * @throws IOException if the listening socket is unusable
     */
    public void run() throws IOException {
        server.setSoTimeout(TICK_MILLIS);
        List<AgentConnection> open = new ArrayList<>();
        try {
            while (!server.isClosed()) {
                accept().ifPresent(socket -> serve(socket, open));
                open.removeIf(connection -> !connection.isAlive());
                open.stream().filter(AgentConnection::isOverdue).forEach(AgentConnection::end);
            }
        } finally {
            open.forEach(AgentConnection::end);
            open.forEach(AgentConnection::join);
        }
    }

    private Optional<Socket> accept() {
        try {
            return Optional.of(server.accept());
        } catch (SocketTimeoutException none) {
            return Optional.empty();
        } catch (IOException refused) {
            if (!server.isClosed()) {
                // Such as EMFILE; connections that end make room.
                LOGGER.log(System.Logger.Level.WARNING, "a connection cannot be accepted", refused);
                LockSupport.parkNanos(TICK_MILLIS * 1_000_000L);
            }
            return Optional.empty();
        }
    }

    private void serve(Socket socket, List<AgentConnection> open) {
        AgentConnection connection = new AgentConnection(
                socket, patience, turnLimit, secret, introduction, () -> new LocalEndpoint(device, connections), turn);
        if (open.size() >= MOST_CONNECTIONS) {
            // Peers that have not introduced themselves make room for one that may.
            open.stream()
                    .filter(each -> !each.isIntroduced())
                    .findFirst()
                    .orElse(connection)
                    .end();
        }
        open.add(connection);
        connection.start();
    }

    /**
     * Has the far side manage connections as well, from the next near side on.
     *
     * @param manager the provider's {@code extension(ConnectionManager.class)}
     * @return this
     */
    public ConformanceAgent withConnections(Optional<ConnectionManager> manager) {
        connections = manager;
        return this;
    }

    /**
     * Has the agent require a secret from each connection before it parses anything else. Call before {@link #run}.
     *
     * @param required the secret; empty to require none
     * @return this
     */
    public ConformanceAgent withSecret(Optional<SharedSecret> required) {
        secret = required;
        return this;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
