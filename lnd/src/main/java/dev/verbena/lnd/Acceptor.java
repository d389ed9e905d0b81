// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.engine.Handshake;
import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RejectData;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accepts or rejects the connection requests of peers. Source: {@code kiblnd_passive_connect}. */
final class Acceptor {

    private static final int PRIVILEGED = 1023;

    /**
     * The maximum number of connections and connection attempts of a peer. {@code conns_per_peer} is usually lower than
     * {@code MAX_CONNECTIONS}.
     */
    private static final int MAX_CONNECTIONS = 32;

    private final NodeContext context;
    private final List<Peers> partitions;

    Acceptor(NodeContext context, List<Peers> partitions) {
        this.context = context;
        this.partitions = partitions;
    }

    /** Accepts or rejects a connection request. After an exception, this method or the daemon closes the rdma_cm id. */
    void onRequest(CmEvent event) {
        ConnectionId id = event.id();
        LndMessage request = new LndMessage();
        Cpt first = context.cpts().getFirst();
        Handshake nothing = new Handshake(Nid.ANY, 0, 0, 0);
        @Nullable NetworkInterface ni;
        try {
            ni = read(event, request);
        } catch (RuntimeException | Error e) {
            new Cleanup(e).step(() -> reject(first, id, RejectReason.NO_RESOURCES, nothing));
            throw e;
        }
        if (ni == null) {
            reject(first, id, RejectReason.FATAL, nothing);
            return;
        }
        Peers peers = partitions.get(context.cpt(request.header().sourceNid()).index());
        synchronized (peers.cpt().lock()) {
            answer(peers, ni, id, request);
        }
    }

    private @Nullable NetworkInterface read(CmEvent event, LndMessage request) {
        byte[] data = event.privateData();
        request.wrap(MemorySegment.ofArray(data), 0);
        if (isUnprivileged(event.id()) || request.parse(data.length) != MessageDefect.NONE) {
            return null;
        }
        Nid source = request.header().sourceNid();
        return context.interfaces().stream()
                .filter(ni -> request.header().destinationNid().equals(ni.nid()) && mayBePeer(source, ni.nid()))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a node with this NID may connect to this node; a node does not connect to itself. */
    private static boolean mayBePeer(Nid nid, Nid own) {
        return nid.network() == own.network() && !nid.equals(own);
    }

    private boolean isUnprivileged(ConnectionId id) {
        return context.tunables().requirePrivilegedPort()
                && id.peerAddress().map(peer -> peer.getPort() > PRIVILEGED).orElse(true);
    }

    private void answer(Peers peers, NetworkInterface ni, ConnectionId id, LndMessage request) {
        Handshake ours = ni.handshake();
        @Nullable RejectReason reason;
        try {
            reason = judge(peers, ni, request, ours);
        } catch (RuntimeException | Error e) {
            new Cleanup(e).step(() -> reject(peers.cpt(), id, RejectReason.NO_RESOURCES, ours));
            throw e;
        }
        if (reason == null) {
            accept(peers, ni, id, request, ours);
        } else {
            boolean early = reason == RejectReason.EARLY;
            reject(peers.cpt(), id, reason, early ? new Handshake(ni.nid(), 0, 0, 0) : ours);
        }
    }

    private @Nullable RejectReason judge(Peers peers, NetworkInterface ni, LndMessage request, Handshake ours) {
        if (ni.isShutdown() || ni.isDown()) {
            return RejectReason.EARLY;
        }
        @Nullable RejectReason reason = ours.judgeRequest(request);
        return reason == null ? judgePeer(peers, ni, request) : reason;
    }

    /**
     * Returns why this node must reject a connection request, or null to accept it. This node rejects the request of a peer
     * that has restarted or has too many connections. If both nodes send a request, and the request of this node wins the
     * tie-break, this node rejects the request of the peer.
     */
    private @Nullable RejectReason judgePeer(Peers peers, NetworkInterface ni, LndMessage request) {
        Nid nid = request.header().sourceNid();
        @Nullable Peer peer = peers.find(nid);
        if (peer == null) {
            return peers.daemon().ending(nid) < MAX_CONNECTIONS ? null : RejectReason.NO_RESOURCES;
        }
        long stamp = request.header().sourceStamp();
        if (peer.isOtherIncarnation(stamp)) {
            peer.closeAll(-Errno.ESTALE.number(), connection -> true);
            peer.met(stamp);
            return RejectReason.CONN_STALE;
        }
        if (hasTooMany(peers, peer)) {
            return RejectReason.NO_RESOURCES;
        }
        boolean weWin = context.tunables().tieBreak().isBelow(peer.nid(), ni.nid());
        return weWin && peer.losesRace() ? RejectReason.CONN_RACE : null;
    }

    private void accept(Peers peers, NetworkInterface ni, ConnectionId id, LndMessage request, Handshake ours) {
        Establisher establisher = peers.establisher();
        Nid source = request.header().sourceNid();
        @Nullable Peer known = peers.find(source);
        Peer peer = known == null ? new Peer(context, ni, source) : known;
        if (known == null) {
            peers.add(peer);
        }
        long stamp = request.header().sourceStamp();
        int fragments = request.connParams().maxFragments();
        peer.met(stamp);
        peer.accepting();
        peer.limits(request.connParams().queueDepth(), fragments);
        Connection connection = new Connection(peers, peer, id, false);
        try {
            connection.createEndpoint(peer.queueDepth(), fragments);
        } catch (VerbsException e) {
            peers.cpt().failures().report(connection, e);
            reject(peers.cpt(), id, RejectReason.NO_RESOURCES, ours);
            peers.attemptFailed(peer, false, -e.errno().number());
            return;
        } catch (RuntimeException | Error e) {
            reject(peers.cpt(), id, RejectReason.NO_RESOURCES, ours);
            peers.attemptFailed(peer, false, -Errno.EIO.number());
            throw e;
        }
        establisher.begin(connection);
        try {
            connection.negotiated(connection.offeredDepth(), fragments, stamp);
            connection.state(ConnectionState.PASSIVE_WAIT);
            id.setContext(connection);
            id.accept(establisher.parameters(establisher.message(MessageType.CONNACK, connection, stamp)));
        } catch (VerbsException e) {
            peers.cpt().failures().report(connection, e);
            establisher.failed(connection, -e.errno().number());
        } catch (RuntimeException | Error e) {
            establisher.failed(connection, -Errno.EIO.number());
            throw e;
        }
    }

    /**
     * Returns whether the peer has the maximum number of connections and connection attempts, including connections that
     * are being closed. If the peer has this maximum number, closes the oldest connection of the peer, so that a later
     * connection attempt of the peer can succeed.
     */
    private static boolean hasTooMany(Peers peers, Peer peer) {
        int count = peer.connections().size() + peer.attempts() + peers.daemon().ending(peer.nid());
        if (count < MAX_CONNECTIONS) {
            return false;
        }
        if (!peer.connections().isEmpty()) {
            peer.connections().getFirst().close(-Errno.ECONNRESET.number());
        }
        return true;
    }

    private static void reject(Cpt cpt, ConnectionId id, RejectReason reason, Handshake limits) {
        byte[] bytes = new byte[RejectData.LENGTH];
        new RejectData()
                .begin(MemorySegment.ofArray(bytes), 0, Protocol.VERSION_2, reason, ByteOrder.LITTLE_ENDIAN)
                .incarnation(limits.incarnation())
                .connParams()
                .set(limits.queueDepth(), limits.maxFragments(), Protocol.MESSAGE_SIZE);
        synchronized (cpt.lock()) {
            cpt.counters().rejectSent(reason);
            try {
                id.reject(bytes);
            } catch (VerbsException e) {
                cpt.counters().ignored();
            } finally {
                close(cpt, id);
            }
        }
    }

    private static void close(Cpt cpt, ConnectionId id) {
        try {
            id.close();
        } catch (VerbsException e) {
            cpt.counters().ignored();
        }
    }
}
