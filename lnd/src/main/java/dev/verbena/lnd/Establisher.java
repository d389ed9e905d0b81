// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
import dev.verbena.lnd.engine.Handshake;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RejectData;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handles each CM event in each connection state, for the active and for the passive role. The caller of any method
 * must hold the lock of the CPU partition. Source: {@code kiblnd_cm_callback}, {@code kiblnd_active_connect},
 * {@code kiblnd_rejected}, {@code kiblnd_check_connreply}.
 */
final class Establisher {

    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(5);
    private static final int HIGHEST_PRIVILEGED_PORT = 1023;

    private final NodeContext context;
    private final O2ibTunables tunables;
    private final Cpt cpt;
    private final Peers peers;
    private final List<Connection> attempts = new ArrayList<>();

    Establisher(NodeContext context, Cpt cpt, Peers peers) {
        this.context = context;
        tunables = context.tunables();
        this.cpt = cpt;
        this.peers = peers;
    }

    boolean isIdle() {
        return attempts.isEmpty();
    }

    void begin(Connection connection) {
        attempts.add(connection);
    }

    /** Starts a connection attempt, which the {@link Peer} has already counted. */
    void connect(Peer peer) {
        ConnectionId id;
        try {
            id = context.manager().createId(context.channel(), PortSpace.TCP, null);
        } catch (VerbsException e) {
            cpt.failures().report(peer, e);
            peers.attemptFailed(peer, true, -e.errno().number());
            return;
        } catch (RuntimeException | Error e) {
            peers.attemptFailed(peer, true, -Errno.EIO.number());
            throw e;
        }
        Connection connection = new Connection(peers, peer, id, true);
        id.setContext(connection);
        begin(connection);
        try {
            bind(id, peer.ni().address());
            id.resolveAddress(null, new InetSocketAddress(addressOf(peer.nid()), tunables.service()), RESOLVE_TIMEOUT);
        } catch (VerbsException e) {
            cpt.failures().report(connection, e);
            failed(connection, -Errno.EHOSTUNREACH.number());
        } catch (RuntimeException | Error e) {
            failed(connection, -Errno.EIO.number());
            throw e;
        }
    }

    /**
     * Binds the rdma_cm id to the highest privileged port at which the bind succeeds, or else to any port. This method
     * permits address reuse, so that other rdma_cm ids can have the same privileged port.
     */
    private void bind(ConnectionId id, InetAddress address) throws VerbsException {
        if (tunables.usePrivilegedPort()) {
            id.setReuseAddress(true);
            for (int port = HIGHEST_PRIVILEGED_PORT; port > 0; port--) {
                try {
                    id.bind(new InetSocketAddress(address, port));
                    return;
                } catch (VerbsException e) {
                    if (e.errno() != Errno.EADDRINUSE && e.errno() != Errno.EADDRNOTAVAIL) {
                        cpt.counters().ignored();
                        break;
                    }
                }
            }
        }
        id.bind(new InetSocketAddress(address, 0));
    }

    private static InetAddress addressOf(Nid nid) {
        int address = nid.address();
        byte[] bytes = {(byte) (address >>> 24), (byte) (address >>> 16), (byte) (address >>> 8), (byte) address};
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are always an address", e);
        }
    }

    /** Ignores an event that is invalid in the connection's state, because the event may be late. */
    void onEvent(Connection connection, CmEvent event) {
        try {
            handle(connection, event);
        } catch (Throwable thrown) {
            // End the connection attempt, because otherwise the messages for the connection would wait forever.
            failed(connection, -Errno.EIO.number());
            connection.close(-Errno.EIO.number());
            throw thrown;
        }
    }

    private void handle(Connection connection, CmEvent event) {
        boolean connecting = connection.state().isConnecting();
        switch (event.type()) {
            case ADDR_RESOLVED -> resolveRoute(connection);
            case ROUTE_RESOLVED -> request(connection);
            case ADDR_ERROR, ROUTE_ERROR -> failed(connection, -Errno.EHOSTUNREACH.number());
            case UNREACHABLE -> failed(connection, -Errno.ENETDOWN.number());
            case CONNECT_ERROR -> failed(connection, -Errno.ENOTCONN.number());
            case REJECTED -> rejected(connection, event);
            case ESTABLISHED -> established(connection, event);
            case DISCONNECTED -> {
                connection.release();
                if (connecting) {
                    failed(connection, -Errno.ECONNRESET.number());
                } else {
                    connection.close(0);
                    peers.daemon().wake();
                }
            }
            default -> cpt.counters().ignored();
        }
    }

    private void resolveRoute(Connection connection) {
        if (connection.state() != ConnectionState.INIT) {
            return;
        }
        try {
            if (tunables.tos() >= 0) {
                connection.id().setTypeOfService(tunables.tos());
            }
            connection.id().resolveRoute(RESOLVE_TIMEOUT);
        } catch (VerbsException e) {
            cpt.failures().report(connection, e);
            failed(connection, -Errno.EHOSTUNREACH.number());
        }
    }

    private void request(Connection connection) {
        if (connection.state() != ConnectionState.INIT) {
            return;
        }
        Peer peer = connection.peer();
        try {
            connection.createEndpoint(peer.queueDepth(), peer.maxFragments());
            connection.state(ConnectionState.ACTIVE_CONNECT);
            connection.id().connect(parameters(message(MessageType.CONNREQ, connection, peer.incarnation())));
        } catch (VerbsException e) {
            cpt.failures().report(connection, e);
            failed(connection, -e.errno().number());
        }
    }

    byte[] message(MessageType type, Connection connection, long peerStamp) {
        byte[] bytes = new byte[type.minimumLength()];
        LndMessage message =
                new LndMessage().wrap(MemorySegment.ofArray(bytes), 0).begin(type);
        message.header()
                .sourceNid(connection.peer().ni().nid())
                .sourceStamp(connection.peer().ni().incarnation())
                .destinationNid(connection.peer().nid())
                .destinationStamp(peerStamp);
        message.connParams().set(connection.offeredDepth(), connection.maxFragments(), Protocol.MESSAGE_SIZE);
        message.finish(tunables.checksum());
        return bytes;
    }

    ConnectionParameters parameters(byte[] privateData) {
        return ConnectionParameters.builder()
                .privateData(privateData)
                .responderResources(0)
                .initiatorDepth(0)
                .flowControl(true)
                .retryCount(tunables.retryCount())
                .rnrRetryCount(RnrRetryCount.ofCode(tunables.rnrRetryCount()))
                .build();
    }

    private void established(Connection connection, CmEvent event) {
        if (connection.state() == ConnectionState.ACTIVE_CONNECT) {
            connection.connected();
            replied(connection, event.privateData());
        } else if (connection.state() == ConnectionState.PASSIVE_WAIT) {
            connection.connected();
            up(connection);
        }
    }

    private void replied(Connection connection, byte[] data) {
        LndMessage reply = new LndMessage().wrap(MemorySegment.ofArray(data), 0);
        MessageDefect defect = reply.parse(data.length);
        int status = defect == MessageDefect.NONE
                ? offered(connection).judgeReply(reply, connection.peer().nid())
                : -defect.errno().number();
        if (status < 0) {
            cpt.counters().defect();
            failed(connection, status);
            return;
        }
        connection.negotiated(
                reply.connParams().queueDepth(),
                reply.connParams().maxFragments(),
                reply.header().sourceStamp());
        up(connection);
    }

    /** Sends the messages that wait for the connection, then handles the messages received during connection setup. */
    private void up(Connection connection) {
        attempts.remove(connection);
        peers.connected(connection);
        ReceiveFlow.early(connection);
    }

    private void rejected(Connection connection, CmEvent event) {
        if (connection.state() == ConnectionState.PASSIVE_WAIT) {
            failed(connection, -Errno.ECONNRESET.number());
        } else if (connection.state() == ConnectionState.ACTIVE_CONNECT) {
            Errno errno = Errno.ECONNREFUSED;
            switch (event.rejectReason().orElse(dev.verbena.cm.RejectReason.UNKNOWN)) {
                case CONSUMER_DEFINED -> refused(connection, event.privateData());
                case STALE_CONNECTION -> planReconnect(connection);
                case INVALID_SERVICE_ID -> errno = Errno.EHOSTUNREACH;
                default -> cpt.counters().ignored();
            }
            failed(connection, -errno.number());
        }
    }

    private static Handshake offered(Connection connection) {
        return connection.peer().ni().handshake(connection.offeredDepth(), connection.maxFragments());
    }

    private void refused(Connection connection, byte[] bytes) {
        RejectData data = new RejectData();
        if (data.parse(MemorySegment.ofArray(bytes), 0, bytes.length) != MessageDefect.NONE) {
            cpt.counters().defect();
            return;
        }
        @Nullable RejectReason reason = RejectReason.of(data.reasonCode());
        if (reason == null) {
            cpt.counters().ignored();
            return;
        }
        cpt.counters().rejectReceived(reason);
        if (offered(connection).react(data) == Handshake.Reaction.GIVE_UP) {
            return;
        }
        Peer peer = connection.peer();
        peer.told(data.incarnation());
        if (reason == RejectReason.MSG_QUEUE_SIZE) {
            peer.limits(data.connParams().queueDepth(), peer.maxFragments());
        } else if (reason == RejectReason.RDMA_FRAGS) {
            peer.limits(peer.queueDepth(), data.connParams().maxFragments());
        }
        planReconnect(connection);
    }

    private static void planReconnect(Connection connection) {
        connection.reconnect(connection.peer().planReconnect());
    }

    void failed(Connection connection, int errno) {
        if (attempts.remove(connection)) {
            connection.error(errno);
            connection.state(ConnectionState.CLOSING);
            peers.daemon().tearDown(connection);
            peers.attemptFailed(connection.peer(), connection.isActive(), errno);
        }
    }

    void expire(long now, long nanos, BucketScan scan) {
        for (Connection connection : List.copyOf(attempts)) {
            if (scan.isDue(connection.peer().nid())
                    && connection.state() == ConnectionState.ACTIVE_CONNECT
                    && now - connection.since() >= nanos) {
                failed(connection, -Errno.ENETDOWN.number());
            }
        }
    }

    void abandon(int errno) {
        List.copyOf(attempts).forEach(connection -> failed(connection, errno));
    }
}
