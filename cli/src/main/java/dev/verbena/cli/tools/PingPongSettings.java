// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of a pingpong tool. The caller supplies the defaults of the original pingpongs for options that the user did
 * not set.
 *
 * @param type RC, UC or UD
 * @param server the host name of the server, or empty if this process is the server
 * @param tcpPort the TCP port for the exchange of connection data (LID, QPN, PSN, GID)
 * @param listenAt the IP address on which a server listens for the exchange of connection data (LID, QPN, PSN, GID)
 * @param port the device's port, from 1
 * @param size the size of a message in bytes
 * @param mtu the path MTU, which UD queue pairs ignore
 * @param queuePairs the number of queue pairs; always 1 without a shared receive queue
 * @param sharedReceives whether the queue pairs have a shared receive queue
 * @param receiveDepth the maximum number of receives that are posted at the same time
 * @param iterations the number of messages in each direction
 * @param serviceLevel 0..15
 * @param ackTimeout the ACK timeout of RC queue pairs, after which they retransmit
 * @param events whether to wait for completion events instead of polling
 * @param gidIndex the index of the device's GID in the GID table, or empty for the default GID
 * @param check whether to compare each received byte with its expected value
 * @param comePatience how long a server waits for its client to connect
 * @param patience how long a process waits for its peer; a server waits {@code comePatience} for its client to connect
 * @param linger how long the queue pairs stay open after the last message, to acknowledge messages that the peer
 *     retransmits because an acknowledgement was lost
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

    /** The maximum number of queue pairs. {@code ibv_srq_pingpong} always sends LID, QPN, PSN and GID of 256 QPs. */
    public static final int MAX_QUEUE_PAIRS = 256;

    boolean isClient() {
        return server.isPresent();
    }

    int addresses() {
        return sharedReceives ? MAX_QUEUE_PAIRS : 1;
    }
}
