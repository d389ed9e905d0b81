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
 * The second process of a conformance test. The first process sends verbs and CM calls ({@link Step}), and the second
 * process executes these calls on its own device. Several connections may be open, but only one at a time uses the device.
 */
public final class ConformanceAgent implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ConformanceAgent.class.getName());

    private static final int TICK_MILLIS = 100;

    /** The maximum time for which one connection may use the device. One execution of a rule takes far less. */
    private static final Duration TURN = Duration.ofMinutes(20);

    /** The maximum number of open connections of the agent; each test process uses one connection at a time. */
    private static final int MOST_CONNECTIONS = 32;

    private final ServerSocket server;
    private final Device device;
    private final Duration patience;
    private final Duration turnLimit;
    private final Introduction introduction;
    private final Lock turn = new ReentrantLock(true);
    private volatile Optional<ConnectionManager> connections = Optional.empty();
    private volatile PortChoice choice = PortChoice.usual();
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
     * Starts to listen for connections.
     *
     * @param address the address and port on which this conformance agent listens; port 0 selects a free port
     * @param device the device on which the agent executes verbs and CM calls; the agent does not close the device
     * @param patience the time after which the agent closes a connection whose client has sent no {@link Step}
     * @return a new {@code ConformanceAgent}, which executes verbs and CM calls only while a thread executes {@link #run}
     * @throws IOException if the agent cannot listen on the address
     */
    public static ConformanceAgent listen(InetSocketAddress address, Device device, Duration patience)
            throws IOException {
        return listen(address, device, patience, Introduction.NONE);
    }

    /**
     * Starts to listen for connections on which the two processes first exchange the addresses of their devices.
     *
     * @param address the address and port on which this conformance agent listens; port 0 selects a free port
     * @param device the device on which the agent executes verbs and CM calls; the agent does not close the device
     * @param patience the time after which the agent closes a connection whose client has sent no {@link Step}
     * @param introduction the handshake strings that the agent and its client exchange at the start of a connection
     * @return a new {@code ConformanceAgent}, which executes verbs and CM calls only while a thread executes {@link #run}
     * @throws IOException if the agent cannot listen on the address
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

    /** {@return the address and port on which this conformance agent listens} */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /**
     * Serves connections until the agent is closed; then waits until all connections have closed their objects. Invalid
     * or missing data on a connection affects only this connection.
     *
     * @throws IOException if the listening socket cannot be used any more
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
                // Accepting a connection usually fails with EMFILE, and succeeds when the process has closed other
                // files.
                LOGGER.log(System.Logger.Level.WARNING, "a connection cannot be accepted", refused);
                LockSupport.parkNanos(TICK_MILLIS * 1_000_000L);
            }
            return Optional.empty();
        }
    }

    private void serve(Socket socket, List<AgentConnection> open) {
        AgentConnection connection = new AgentConnection(
                socket,
                patience,
                turnLimit,
                secret,
                introduction,
                () -> new LocalEndpoint(device, choice, connections),
                turn);
        if (open.size() >= MOST_CONNECTIONS) {
            // The agent has too many connections, so it closes a connection without a complete handshake. If all
            // handshakes are complete, the agent closes the new connection.
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
     * Clients that connect to the agent after this call can use the connection manager {@code manager}.
     *
     * @param manager the provider's {@code extension(ConnectionManager.class)}
     * @return this agent
     */
    public ConformanceAgent withConnections(Optional<ConnectionManager> manager) {
        connections = manager;
        return this;
    }

    /**
     * Selects the port of the device for clients that connect after this call.
     *
     * @param used the port that the rules use
     * @return this agent
     */
    public ConformanceAgent withPort(PortChoice used) {
        choice = used;
        return this;
    }

    /**
     * {@return this agent. The agent authenticates each client with the secret before it parses other data from this
     * client. Call this method before {@link #run}}
     *
     * @param required the secret, or empty if clients need no secret
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
