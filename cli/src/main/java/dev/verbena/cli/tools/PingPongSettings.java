package dev.verbena.cli.tools;

import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to exchange, and how. The defaults of the originals are the caller's business.
 *
 * @param type RC, UC or UD
 * @param server the host to connect to, or empty to be the server
 * @param tcpPort where addresses are exchanged
 * @param listenAt the address where a server listens for the exchange
 * @param port the device's port, from 1
 * @param size bytes of a message
 * @param mtu path MTU; does not matter for UD
 * @param queuePairs how many; more than one only with a shared receive queue
 * @param sharedReceives whether the queue pairs share a receive queue
 * @param receiveDepth receives to post at a time
 * @param iterations messages each way
 * @param serviceLevel 0..15
 * @param ackTimeout how long RC waits for an acknowledgement before it sends again
 * @param events wait for events instead of polling
 * @param gidIndex the entry of the GID table, or empty for the best one
 * @param check compare all of what arrives with what it must be
 * @param comePatience how long a server waits for its client
 * @param patience how long to wait for anything else
 * @param linger how long to go on answering when all is done, for a peer whose last acknowledgement was lost
 */
public record PingPongSettings(
        QpType type,
        Optional<String> server,
        int tcpPort,
        InetAddress listenAt,
        int port,
        int size,
        PathMtu mtu,
        int queuePairs,
        boolean sharedReceives,
        int receiveDepth,
        int iterations,
        int serviceLevel,
        AckTimeout ackTimeout,
        boolean events,
        OptionalInt gidIndex,
        boolean check,
        Duration comePatience,
        Duration patience,
        Duration linger) {

    /** What the exchange of addresses of {@code ibv_srq_pingpong} has room for. */
    public static final int MAX_QUEUE_PAIRS = 256;

    boolean isClient() {
        return server.isPresent();
    }

    /** How many addresses are exchanged. */
    int addresses() {
        return sharedReceives ? MAX_QUEUE_PAIRS : 1;
    }
}
