// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.RejectData;
import dev.verbena.lnet.Nid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A peer of this node. A {@code Peer} object exists while the peer has a connection or a connection attempt. Callers of
 * this class must hold the lock of the CPU partition. Source: {@code struct kib_peer_ni}.
 */
final class Peer {

    private static final int MAX_RACES = 20;

    private final NodeContext context;
    private final NetworkInterface ni;
    private final Cpt cpt;
    private final Nid nid;
    private final long nidValue;
    private final List<Connection> connections = new ArrayList<>();
    /** The peer's connection if the peer has exactly one; null if the peer has no connection or several. */
    private @Nullable Connection only;
    /** The next peer in this bucket of the {@link PeerTable}. */
    private @Nullable Peer inTable;

    private final Deque<TxDescriptor> waiting = new ArrayDeque<>();
    /** The number of LNet messages to this peer that have a transmit descriptor. */
    private int started;
    /** The LNet messages that wait for a transmit descriptor; null until a message has to wait. */
    private @Nullable DelayedMessages delayed;

    private boolean linked = true;
    private int turn;
    private int vectors;

    private int connecting;
    private int accepting;
    private int reconnecting;
    private int races;
    private int reconnected;

    private boolean known;
    private long incarnation;
    private int queueDepth;
    private int maxFragments;
    private int feasibleDepth = Integer.MAX_VALUE;

    Peer(NodeContext context, NetworkInterface ni, Nid nid) {
        this.context = context;
        this.ni = ni;
        cpt = context.cpt(nid);
        this.nid = nid;
        nidValue = nid.value();
        queueDepth = context.tunables().peerCredits();
        maxFragments = ni.offeredFragments();
    }

    NodeContext context() {
        return context;
    }

    NetworkInterface ni() {
        return ni;
    }

    Cpt cpt() {
        return cpt;
    }

    Partition partition() {
        return ni.partition(cpt);
    }

    Nid nid() {
        return nid;
    }

    long nidValue() {
        return nidValue;
    }

    @Nullable Peer next() {
        return inTable;
    }

    void next(@Nullable Peer behind) {
        inTable = behind;
    }

    List<Connection> connections() {
        return Collections.unmodifiableList(connections);
    }

    /** Returns the transmit descriptors whose messages wait for a connection. */
    Deque<TxDescriptor> waiting() {
        return waiting;
    }

    /** Sends a message on the peer's next connection (round-robin); without a connection, queues the message. */
    void launch(TxDescriptor tx) {
        started++;
        tx.charged(true);
        @Nullable Connection connection = nextConnection();
        if (connection != null) {
            connection.queue(tx);
            return;
        }
        tx.deadline(cpt.now() + context.waitingTime().toNanos());
        waiting.add(tx);
    }

    /**
     * If a message counts toward {@link O2ibTunables#peerShare}, decrements the count. Returns whether the message
     * counted toward {@code peerShare}.
     */
    boolean discharge(TxDescriptor tx) {
        started -= tx.isCharged() ? 1 : 0;
        return tx.isCharged();
    }

    /** Returns whether fewer than {@link O2ibTunables#peerShare} messages to this peer have a transmit descriptor. */
    boolean hasRoom() {
        return started < context.tunables().peerShare();
    }

    /** Returns whether LNet messages to this peer wait for a transmit descriptor. */
    boolean hasDelayed() {
        return delayed != null && !delayed.isEmpty();
    }

    DelayedMessages delayed() {
        if (delayed == null) {
            delayed = new DelayedMessages();
        }
        return delayed;
    }

    void closeAll(int errno, Predicate<Connection> which) {
        List.copyOf(connections).stream().filter(which).forEach(connection -> connection.close(errno));
    }

    private @Nullable Connection nextConnection() {
        if (only != null || connections.isEmpty()) {
            return only;
        }
        turn = (turn + 1) % connections.size();
        return connections.get(turn);
    }

    /** Returns the completion vector for the peer's next connection; successive connections get different vectors. */
    int nextVector() {
        return Long.hashCode(nidValue) + vectors++;
    }

    /** Returns false after this peer has been removed from the {@link PeerTable}. */
    boolean isLinked() {
        return linked;
    }

    void unlink() {
        linked = false;
    }

    /** Returns the queue depth to offer, which is at most the depth of earlier queue pairs to the peer. */
    int queueDepth() {
        return Math.min(queueDepth, feasibleDepth);
    }

    /** Records the maximum queue depth for which the device has memory. */
    void feasibleDepth(int depth) {
        feasibleDepth = depth;
    }

    int maxFragments() {
        return maxFragments;
    }

    void limits(int depth, int fragments) {
        queueDepth = depth;
        maxFragments = fragments;
    }

    /** Returns the last known incarnation of the peer; 0 if the incarnation is unknown. */
    long incarnation() {
        return incarnation;
    }

    boolean isOtherIncarnation(long stamp) {
        return known && stamp != incarnation;
    }

    void met(long stamp) {
        known = true;
        incarnation = stamp;
    }

    /** Stores the peer's incarnation (its start time), as sent in the private data of a REJ; ignores an unknown one. */
    void told(long stamp) {
        if (stamp != 0 && stamp != RejectData.UNKNOWN_INCARNATION) {
            met(stamp);
        }
    }

    /** Returns the number of active and passive connection attempts in progress, plus the scheduled reconnects. */
    int attempts() {
        return connecting + accepting + reconnecting;
    }

    boolean isConnecting() {
        return connecting > 0;
    }

    /** Returns true if the peer has no connection and no connection attempt. */
    boolean isHopeless() {
        return connections.isEmpty() && connecting == 0 && accepting == 0 && reconnecting == 0;
    }

    void attemptStarted() {
        connecting++;
    }

    void attemptEnded(boolean active) {
        if (active) {
            connecting--;
        } else {
            accepting--;
        }
    }

    /**
     * Must be called only if the tie-break favors this node's connection request over the request of the peer. Returns
     * whether this node must reject the request of the peer. Returns false if no request of this node is in progress, or if
     * this node has already rejected {@code MAX_RACES} successive requests of the peer.
     */
    boolean losesRace() {
        if (connecting == 0 || races >= MAX_RACES) {
            return false;
        }
        races++;
        return true;
    }

    /** Counts a passive connection attempt, and cancels all scheduled reconnects. */
    void accepting() {
        reconnecting = 0;
        races = 0;
        accepting++;
    }

    /** If this node must connect again after a rejection, counts a scheduled reconnect and returns true. */
    boolean planReconnect() {
        boolean useful = !waiting.isEmpty() && connecting > 0 && accepting == 0;
        reconnecting += useful ? 1 : 0;
        return useful;
    }

    /** Starts a scheduled reconnect. Returns false if no reconnect is scheduled. */
    boolean startReconnect() {
        if (reconnecting == 0) {
            return false;
        }
        reconnecting--;
        reconnected++;
        connecting++;
        return true;
    }

    void cancelReconnect() {
        reconnecting = 0;
    }

    /** Returns the number of attempts to reconnect after a rejection, since the last established connection. */
    int reconnected() {
        return reconnected;
    }

    void established(Connection connection) {
        connections.add(connection);
        only = connections.size() == 1 ? connection : null;
        reconnected = 0;
    }

    void disconnected(Connection connection) {
        connections.remove(connection);
        only = connections.size() == 1 ? connections.getFirst() : null;
    }

    @Override
    public String toString() {
        return "peer " + nid + " connections " + connections.size() + " connecting " + connecting + " accepting "
                + accepting + " reconnecting " + reconnecting + " waiting " + waiting.size();
    }
}
