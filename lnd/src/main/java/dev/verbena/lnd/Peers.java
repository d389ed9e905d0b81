// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The peers of one CPU partition of a node. Callers of this class must hold the lock of the CPU partition. */
final class Peers implements Connection.Owner {

    private final NodeContext context;
    private final Cpt cpt;
    private final PeerTable table = new PeerTable();
    private final Daemon daemon;
    private final Establisher establisher;

    Peers(NodeContext context, Cpt cpt) {
        this.context = context;
        this.cpt = cpt;
        daemon = new Daemon(context, cpt, this);
        establisher = new Establisher(context, cpt, this);
    }

    Cpt cpt() {
        return cpt;
    }

    Daemon daemon() {
        return daemon;
    }

    Establisher establisher() {
        return establisher;
    }

    @Nullable Peer find(Nid nid) {
        return table.find(nid.value());
    }

    void add(Peer peer) {
        table.add(peer);
        daemon.wake();
    }

    List<Peer> all() {
        return table.all();
    }

    boolean isEmpty() {
        return table.isEmpty();
    }

    boolean isIdle() {
        return establisher.isIdle() && daemon.isIdle() && isEmpty();
    }

    /** Sends a message to a peer, or queues it and starts to connect. Returns 0 or a negative errno. */
    int send(LnetMessage message, NetworkInterface ni) {
        @Nullable Peer known = find(message.nextHop());
        if (known != null) {
            return SendFlow.send(message, known);
        }
        Peer peer = new Peer(context, ni, message.nextHop());
        int status = SendFlow.send(message, peer);
        if (status == 0) {
            add(peer);
            int count = context.tunables().connsPerPeer();
            for (int i = 0; i < count; i++) {
                peer.attemptStarted();
            }
            for (int i = 0; i < count; i++) {
                establisher.connect(peer);
            }
        }
        return status;
    }

    void connected(Connection connection) {
        Peer peer = connection.peer();
        peer.attemptEnded(connection.isActive());
        // The new connection is added before the other connections are closed, because otherwise the peer would have no
        // connection and would be removed.
        peer.established(connection);
        if (peer.isOtherIncarnation(connection.peerStamp())) {
            peer.closeAll(-Errno.ESTALE.number(), other -> other.peerStamp() != connection.peerStamp());
        }
        peer.met(connection.peerStamp());
        cpt.counters().established();
        try {
            for (TxDescriptor tx = peer.waiting().poll();
                    tx != null;
                    tx = peer.waiting().poll()) {
                connection.queue(tx);
            }
        } finally {
            // Start the connection even after an exception, because a connection can be closed only after its start.
            connection.start();
        }
        if (!peer.isLinked() || peer.ni().isShutdown()) {
            connection.close(-Errno.ECONNABORTED.number());
        }
    }

    @Override
    public void closing(Connection connection) {
        Peer peer = connection.peer();
        peer.disconnected(connection);
        cpt.counters().closed(connection.error());
        // Messages without a transmit descriptor fail with the same status as messages that the connection had queued.
        List<LnetMessage> delayed =
                peer.isHopeless() && peer.hasDelayed() ? peer.delayed().pollAll() : List.of();
        forgetIfHopeless(peer, connection.error());
        boolean late = connection.error() == -Errno.ETIMEDOUT.number();
        fail(delayed, -Errno.ECONNABORTED.number(), late ? HealthClass.LOCAL_TIMEOUT : HealthClass.LOCAL_ERROR);
        daemon.tearDown(connection);
    }

    @Override
    public void drained() {
        daemon.wake();
    }

    void attemptFailed(Peer peer, boolean active, int errno) {
        peer.attemptEnded(active);
        forgetIfHopeless(peer, errno);
    }

    /** Removes a peer that has no connection and no connection attempt, and fails the peer's waiting messages. */
    private void forgetIfHopeless(Peer peer, int errno) {
        if (!peer.isHopeless()) {
            return;
        }
        if (peer.isLinked()) {
            peer.unlink();
            table.remove(peer);
            if (errno != 0 && !peer.ni().isShutdown()) {
                context.host().peerLost(peer.nid());
            }
        }
        failAllWaiting(peer, errno == 0 ? -Errno.EIO.number() : errno, healthOf(errno));
    }

    /** Fails the messages that have waited for a connection until their deadline. */
    void expireWaiting(Peer peer, long now) {
        failWaiting(peer, tx -> now - tx.deadline() >= 0, -Errno.ETIMEDOUT.number(), HealthClass.NETWORK_TIMEOUT);
        if (peer.hasDelayed()) {
            fail(peer.delayed().pollOverdue(now), -Errno.ETIMEDOUT.number(), HealthClass.LOCAL_TIMEOUT);
        }
    }

    private void fail(List<LnetMessage> messages, int errno, HealthClass health) {
        messages.forEach(message -> context.host().complete(message, errno, health));
    }

    private void failAllWaiting(Peer peer, int errno, HealthClass health) {
        // First remove the messages that wait for a transmit descriptor (tx), because the release of a tx would start
        // such a message. Messages without a tx fail last, because messages with a tx are older.
        List<LnetMessage> delayed = peer.hasDelayed() ? peer.delayed().pollAll() : List.of();
        failWaiting(peer, tx -> true, errno, health);
        fail(delayed, errno, health);
    }

    /** Returns the {@link HealthClass} of messages to a peer that could not be reached because of {@code errno}. */
    private static HealthClass healthOf(int errno) {
        if (errno == -Errno.EHOSTUNREACH.number() || errno == -Errno.ETIMEDOUT.number()) {
            return HealthClass.NETWORK_TIMEOUT;
        }
        return errno == -Errno.ECONNREFUSED.number() ? HealthClass.REMOTE_DROPPED : HealthClass.LOCAL_DROPPED;
    }

    private static void failWaiting(Peer peer, Predicate<TxDescriptor> which, int errno, HealthClass health) {
        List<TxDescriptor> failed = new ArrayList<>();
        peer.waiting().removeIf(tx -> which.test(tx) && failed.add(tx));
        for (TxDescriptor tx : failed) {
            tx.fail(errno, health);
            SendFlow.done(tx, peer.partition(), peer);
        }
    }

    /** Closes all connections, without an error if {@code errno} is 0. Connection attempts in progress continue. */
    void abandon(int errno) {
        int status = errno == 0 ? -Errno.EIO.number() : errno;
        HealthClass health = errno == 0 ? HealthClass.LOCAL_ABORTED : HealthClass.LOCAL_DROPPED;
        for (Peer peer : all()) {
            peer.cancelReconnect();
            failAllWaiting(peer, status, health);
            peer.closeAll(errno, connection -> true);
            forgetIfHopeless(peer, errno);
        }
    }
}
