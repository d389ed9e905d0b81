package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Device;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;

/**
 * The far side of a conformance run in a process of its own: carries out on its device what the near side asks for, one
 * connection after the other, in the thread that runs it.
 */
public final class ConformanceAgent implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ConformanceAgent.class.getName());

    private final ServerSocket server;
    private final Device device;
    private final Duration patience;
    private final Introduction introduction;
    private volatile Optional<ConnectionManager> connections = Optional.empty();

    private ConformanceAgent(ServerSocket server, Device device, Duration patience, Introduction introduction) {
        this.server = server;
        this.device = device;
        this.patience = patience;
        this.introduction = introduction;
    }

    /**
     * Begins to listen.
     *
     * @param address where; port 0 takes a free one
     * @param device the device to drive, which stays open
     * @param patience how long the near side may be silent until its connection counts as lost
     * @return a new agent, to be run
     * @throws IOException if the address cannot be had
     */
    public static ConformanceAgent listen(InetSocketAddress address, Device device, Duration patience)
            throws IOException {
        return listen(address, device, patience, Introduction.NONE);
    }

    /**
     * The same, where the network has to be told who is where.
     *
     * @param address where; port 0 takes a free one
     * @param device the device to drive, which stays open
     * @param patience how long the near side may be silent until its connection counts as lost
     * @param introduction what the two processes tell each other first
     * @return a new agent, to be run
     * @throws IOException if the address cannot be had
     */
    public static ConformanceAgent listen(
            InetSocketAddress address, Device device, Duration patience, Introduction introduction) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.bind(address);
            return new ConformanceAgent(server, device, patience, introduction);
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
     * Serves connections until it is closed.
     *
     * @throws IOException if no connection can be taken any more
     */
    public void run() throws IOException {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                serve(socket);
            } catch (SocketException closed) {
                if (!server.isClosed()) {
                    throw closed;
                }
            }
        }
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

    private void serve(Socket socket) {
        LocalEndpoint endpoint = new LocalEndpoint(device, connections);
        boolean closed = false;
        try (ControlChannel channel = new ControlChannel(socket, patience, introduction)) {
            while (!closed) {
                Step step = (Step) channel.receive(Step.class, patience);
                closed = step instanceof Step.CloseAll;
                channel.send(Reply.class, endpoint.perform(step));
            }
        } catch (EOFException ended) {
            LOGGER.log(System.Logger.Level.DEBUG, "the near side ended without a farewell");
        } catch (IOException broken) {
            LOGGER.log(System.Logger.Level.WARNING, "the control channel broke; everything is closed", broken);
        } finally {
            if (!closed) {
                closeQuietly(endpoint);
            }
        }
    }

    private static void closeQuietly(LocalEndpoint endpoint) {
        try {
            endpoint.close();
        } catch (RuntimeException refused) {
            LOGGER.log(System.Logger.Level.WARNING, "something stays open", refused);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
