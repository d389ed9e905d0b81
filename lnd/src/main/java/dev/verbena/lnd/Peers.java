package dev.verbena.lnd;

import dev.verbena.lnd.engine.ConnectionEngine;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Errno;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The peers of a node and the messages that wait for a connection to one. Used under the node's lock. */
final class Peers {

    private static final Duration RESOLVE_TWICE = Duration.ofSeconds(10);

    private final NetworkInterface ni;
    private final PeerTable table = new PeerTable();

    Peers(NetworkInterface ni) {
        this.ni = ni;
    }

    @Nullable Peer find(Nid nid) {
        return table.find(nid.value());
    }

    Peer create(Nid nid) {
        Peer peer = new Peer(nid, ni.tunables().peerCredits(), ni.offeredFragments());
        table.add(peer);
        ni.daemon().wake();
        return peer;
    }

    List<Peer> all() {
        return table.all();
    }

    boolean isEmpty() {
        return table.isEmpty();
    }

    /**
     * Sends a message over the peer's connections in rotation, or keeps it until there is one. Null stands for an
     * unknown peer.
     */
    void launch(TxDescriptor tx, Nid target, @Nullable Peer known) {
        Peer peer = known == null ? create(target) : known;
        tx.charge(peer);
        @Nullable Connection connection = peer.nextConnection();
        if (connection != null) {
            connection.queue(tx);
            return;
        }
        tx.deadline(ni.now() + waitingTime().toNanos());
        peer.waiting().add(tx);
        if (known == null) {
            for (int i = 0; i < ni.tunables().connsPerPeer(); i++) {
                peer.attemptStarted();
            }
            for (int i = 0; i < ni.tunables().connsPerPeer(); i++) {
                ni.establisher().connect(peer);
            }
        }
    }

    /** How long a message waits for a connection: time for an answer, and twice for finding the way. */
    Duration waitingTime() {
        return ni.daemon().connectTimeout().plus(RESOLVE_TWICE);
    }

    /** A connection is established: adds it to the peer, and sends the waiting messages over it. */
    void connected(Connection connection) {
        Peer peer = connection.peer();
        peer.attemptEnded(connection.isActive());
        // Comes first, since otherwise closing the peer's other connections could remove the peer.
        peer.established(connection);
        if (peer.isOtherIncarnation(connection.peerStamp())) {
            closeAll(peer, -Errno.ESTALE.number(), other -> other.peerStamp() != connection.peerStamp());
        }
        peer.met(connection.peerStamp());
        ni.counters().established();
        try {
            for (TxDescriptor tx = peer.waiting().poll();
                    tx != null;
                    tx = peer.waiting().poll()) {
                connection.queue(tx);
            }
        } finally {
            // After an exception too, since only an established connection can be closed.
            connection.start();
        }
        if (!peer.isLinked() || ni.isShutdown()) {
            connection.close(-Errno.ECONNABORTED.number());
        }
    }

    /** A connection is on its way down. */
    void disconnected(Connection connection) {
        Peer peer = connection.peer();
        peer.disconnected(connection);
        ni.counters().closed(connection.error());
        // They end as those that the connection has queued.
        List<LnetMessage> delayed =
                peer.isHopeless() && peer.hasDelayed() ? peer.delayed().pollAll() : List.of();
        forgetIfHopeless(peer, connection.error());
        boolean late = connection.error() == -Errno.ETIMEDOUT.number();
        fail(delayed, -Errno.ECONNABORTED.number(), late ? HealthClass.LOCAL_TIMEOUT : HealthClass.LOCAL_ERROR);
    }

    /** An attempt failed. */
    void attemptFailed(Peer peer, boolean active, int errno) {
        peer.attemptEnded(active);
        forgetIfHopeless(peer, errno);
    }

    /** Removes a peer without connections and attempts, and fails the messages that wait for it. */
    void forgetIfHopeless(Peer peer, int errno) {
        if (!peer.isHopeless()) {
            return;
        }
        if (peer.isLinked()) {
            peer.unlink();
            table.remove(peer);
            if (errno != 0 && !ni.isShutdown()) {
                ni.host().peerLost(peer.nid());
            }
        }
        failAllWaiting(peer, errno == 0 ? -Errno.EIO.number() : errno, healthOf(errno));
    }

    /** Fails the messages that have waited too long for a connection. */
    void expireWaiting(Peer peer, long now) {
        failWaiting(peer, tx -> now - tx.deadline() >= 0, -Errno.ETIMEDOUT.number(), HealthClass.NETWORK_TIMEOUT);
        if (peer.hasDelayed()) {
            fail(peer.delayed().pollOverdue(now), -Errno.ETIMEDOUT.number(), HealthClass.LOCAL_TIMEOUT);
        }
    }

    private void fail(List<LnetMessage> messages, int errno, HealthClass health) {
        messages.forEach(message -> ni.host().complete(message, errno, health));
    }

    /** Fails the messages that wait for a peer to which no connection will be made. */
    private void failAllWaiting(Peer peer, int errno, HealthClass health) {
        // Taken out first, since a descriptor that is released starts a delayed message; failed last, in the order of
        // their sending.
        List<LnetMessage> delayed = peer.hasDelayed() ? peer.delayed().pollAll() : List.of();
        failWaiting(peer, tx -> true, errno, health);
        fail(delayed, errno, health);
    }

    /** Returns the health class of the messages that waited for a failed connect. */
    private static HealthClass healthOf(int errno) {
        if (errno == -Errno.EHOSTUNREACH.number() || errno == -Errno.ETIMEDOUT.number()) {
            return HealthClass.NETWORK_TIMEOUT;
        }
        return errno == -Errno.ECONNREFUSED.number() ? HealthClass.REMOTE_DROPPED : HealthClass.LOCAL_DROPPED;
    }

    private void failWaiting(Peer peer, Predicate<TxDescriptor> which, int errno, HealthClass health) {
        List<TxDescriptor> failed = new ArrayList<>();
        peer.waiting().removeIf(tx -> which.test(tx) && failed.add(tx));
        for (TxDescriptor tx : failed) {
            tx.fail(errno, health);
            ni.partition(peer.nid()).done(tx);
        }
    }

    void closeAll(Peer peer, int errno, Predicate<Connection> which) {
        List.copyOf(peer.connections()).stream().filter(which).forEach(connection -> connection.close(errno));
    }

    /** Ends all connections, with an error or, by 0, in an orderly way. Attempts in progress end by themselves. */
    void abandon(int errno) {
        int status = errno == 0 ? -Errno.EIO.number() : errno;
        HealthClass health = errno == 0 ? HealthClass.LOCAL_ABORTED : HealthClass.LOCAL_DROPPED;
        for (Peer peer : all()) {
            peer.cancelReconnect();
            failAllWaiting(peer, status, health);
            closeAll(peer, errno, connection -> true);
            forgetIfHopeless(peer, errno);
        }
    }

    /** The state of every connection that is up. */
    List<O2ibStatistics.ConnectionStatistics> statistics() {
        List<O2ibStatistics.ConnectionStatistics> all = new ArrayList<>();
        for (Peer peer : table.all()) {
            for (Connection connection : peer.connections()) {
                ConnectionEngine<TxDescriptor> engine = connection.engine();
                all.add(new O2ibStatistics.ConnectionStatistics(
                        peer.nid(),
                        connection.queueDepth(),
                        engine.credits(),
                        engine.outstanding(),
                        engine.reserved(),
                        engine.pending()));
            }
        }
        return List.copyOf(all);
    }
}
