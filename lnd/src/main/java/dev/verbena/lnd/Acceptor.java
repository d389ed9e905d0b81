package dev.verbena.lnd;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.engine.Handshake;
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
import org.jspecify.annotations.Nullable;

/** Answers the connection requests of peers. Used under the node's lock. Source: {@code kiblnd_passive_connect}. */
final class Acceptor {

    private static final int PRIVILEGED = 1023;

    /** Connections and attempts of one peer; more than any conns_per_peer in use. */
    private static final int MAX_CONNECTIONS = 32;

    private final NetworkInterface ni;
    private final Establisher establisher;

    Acceptor(NetworkInterface ni, Establisher establisher) {
        this.ni = ni;
        this.establisher = establisher;
    }

    /** The reason of a rejection, and the limits that it reports to the peer. */
    private record Refusal(RejectReason reason, Handshake limits) {}

    /** Accepts or rejects a request. After an exception the id is closed, or its connection is torn down. */
    void onRequest(CmEvent event) {
        ConnectionId id = event.id();
        LndMessage request = new LndMessage();
        Handshake ours = ni.handshake();
        @Nullable Refusal refusal;
        try {
            refusal = judge(event, request, ours);
        } catch (RuntimeException | Error e) {
            new Cleanup(e).step(() -> reject(id, RejectReason.NO_RESOURCES, ours));
            throw e;
        }
        if (refusal == null) {
            accept(id, request, ours);
        } else {
            reject(id, refusal.reason(), refusal.limits());
        }
    }

    private @Nullable Refusal judge(CmEvent event, LndMessage request, Handshake ours) {
        byte[] data = event.privateData();
        request.wrap(MemorySegment.ofArray(data), 0);
        Handshake nothing = new Handshake(ni.nid(), 0, 0, 0);
        if (isUnprivileged(event.id())
                || request.parse(data.length) != MessageDefect.NONE
                || !request.header().destinationNid().equals(ni.nid())
                || !mayBePeer(request.header().sourceNid())) {
            return new Refusal(RejectReason.FATAL, nothing);
        }
        if (ni.isShutdown() || ni.isDown()) {
            return new Refusal(RejectReason.EARLY, nothing);
        }
        @Nullable RejectReason reason = ours.judgeRequest(request);
        if (reason == null) {
            reason = judgePeer(request);
        }
        return reason == null ? null : new Refusal(reason, ours);
    }

    /**
     * Returns whether a NID is one of this network and not the node's own, which identifies messages within this
     * process.
     */
    private boolean mayBePeer(Nid nid) {
        return nid.network() == ni.nid().network() && !nid.equals(ni.nid());
    }

    private boolean isUnprivileged(ConnectionId id) {
        return ni.tunables().requirePrivilegedPort()
                && id.peerAddress().map(peer -> peer.getPort() > PRIVILEGED).orElse(true);
    }

    /**
     * Returns why a valid request is rejected: a known peer that has restarted, too many connections, or a lost
     * connection race. Null if it is accepted.
     */
    private @Nullable RejectReason judgePeer(LndMessage request) {
        Nid nid = request.header().sourceNid();
        @Nullable Peer peer = ni.peers().find(nid);
        if (peer == null) {
            return ni.daemon().ending(nid) < MAX_CONNECTIONS ? null : RejectReason.NO_RESOURCES;
        }
        long stamp = request.header().sourceStamp();
        if (peer.isOtherIncarnation(stamp)) {
            ni.peers().closeAll(peer, -Errno.ESTALE.number(), connection -> true);
            peer.met(stamp);
            return RejectReason.CONN_STALE;
        }
        if (hasTooMany(peer)) {
            return RejectReason.NO_RESOURCES;
        }
        boolean weWin = ni.tunables().tieBreak().isBelow(peer.nid(), ni.nid());
        return weWin && peer.losesRace() ? RejectReason.CONN_RACE : null;
    }

    private void accept(ConnectionId id, LndMessage request, Handshake ours) {
        @Nullable Peer known = ni.peers().find(request.header().sourceNid());
        Peer peer = known == null ? ni.peers().create(request.header().sourceNid()) : known;
        long stamp = request.header().sourceStamp();
        int fragments = request.connParams().maxFragments();
        peer.met(stamp);
        peer.accepting();
        peer.limits(request.connParams().queueDepth(), fragments);
        Connection connection = new Connection(ni, peer, id, false);
        Endpoint endpoint;
        try {
            endpoint = new Endpoint(ni, connection, id, peer.queueDepth(), fragments);
        } catch (VerbsException e) {
            reject(id, RejectReason.NO_RESOURCES, ours);
            ni.peers().attemptFailed(peer, false, -e.errno().number());
            return;
        } catch (RuntimeException | Error e) {
            reject(id, RejectReason.NO_RESOURCES, ours);
            ni.peers().attemptFailed(peer, false, -Errno.EIO.number());
            throw e;
        }
        connection.endpoint(endpoint, fragments);
        establisher.begin(connection);
        try {
            connection.negotiated(endpoint.queueDepth(), fragments, stamp);
            connection.state(ConnectionState.PASSIVE_WAIT);
            id.setContext(connection);
            id.accept(establisher.parameters(establisher.message(MessageType.CONNACK, connection, stamp)));
        } catch (VerbsException e) {
            establisher.failed(connection, -e.errno().number());
        } catch (RuntimeException | Error e) {
            establisher.failed(connection, -Errno.EIO.number());
            throw e;
        }
    }

    /**
     * Returns whether a peer has the maximum of connections, established, connecting or closing. If so its oldest one
     * ends, which it may have forgotten, so that a later attempt finds room.
     */
    private boolean hasTooMany(Peer peer) {
        int count = peer.connections().size() + peer.attempts() + ni.daemon().ending(peer.nid());
        if (count < MAX_CONNECTIONS) {
            return false;
        }
        if (!peer.connections().isEmpty()) {
            peer.connections().getFirst().close(-Errno.ECONNRESET.number());
        }
        return true;
    }

    private void reject(ConnectionId id, RejectReason reason, Handshake limits) {
        byte[] bytes = new byte[RejectData.LENGTH];
        new RejectData()
                .begin(MemorySegment.ofArray(bytes), 0, Protocol.VERSION_2, reason, ByteOrder.LITTLE_ENDIAN)
                .incarnation(limits.incarnation())
                .connParams()
                .set(limits.queueDepth(), limits.maxFragments(), Protocol.MESSAGE_SIZE);
        ni.counters().rejectSent(reason);
        try {
            id.reject(bytes);
        } catch (VerbsException e) {
            ni.counters().ignored();
        } finally {
            close(id);
        }
    }

    private void close(ConnectionId id) {
        try {
            id.close();
        } catch (VerbsException e) {
            ni.counters().ignored();
        }
    }
}
