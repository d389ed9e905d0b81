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
 * A node's record of a peer while it has connections or attempts to make one. The record is removed with the last of
 * them. Used under the lock of its partition. Source: {@code struct kib_peer_ni}.
 */
final class Peer {

    private static final int MAX_RACES = 20;

    private final NodeContext context;
    private final NetworkInterface ni;
    private final Cpt cpt;
    private final Nid nid;
    private final long nidValue;
    private final List<Connection> connections = new ArrayList<>();
    /** The only connection, since most peers have one; null if the peer has none or several, which are in the list. */
    private @Nullable Connection only;
    /** The next one in its bucket of the table. */
    private @Nullable Peer inTable;

    private final Deque<TxDescriptor> waiting = new ArrayDeque<>();
    /** LNet's messages that have a descriptor. */
    private int started;
    /** LNet's messages beyond the share; null until there was one. */
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

    /** Makes the record of a peer that is reached over an interface of the node. */
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

    /** The partition that its NID selects. */
    Cpt cpt() {
        return cpt;
    }

    /** The pools for new messages and connections. */
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

    /** Established connections. */
    List<Connection> connections() {
        return Collections.unmodifiableList(connections);
    }

    /** Returns the messages that wait for a connection. */
    Deque<TxDescriptor> waiting() {
        return waiting;
    }

    /** Sends a message over the connections in rotation, or keeps it until there is one. */
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

    /** Takes a message out of the share if it is in there; returns whether it was. */
    boolean discharge(TxDescriptor tx) {
        started -= tx.isCharged() ? 1 : 0;
        return tx.isCharged();
    }

    /** Returns whether one more message may have a descriptor. */
    boolean hasRoom() {
        return started < context.tunables().peerShare();
    }

    /** Returns whether messages wait for earlier ones to end; later messages wait after them. */
    boolean hasDelayed() {
        return delayed != null && !delayed.isEmpty();
    }

    /** Returns the messages that wait for earlier ones to end. */
    DelayedMessages delayed() {
        if (delayed == null) {
            delayed = new DelayedMessages();
        }
        return delayed;
    }

    /** Closes connections. */
    void closeAll(int errno, Predicate<Connection> which) {
        List.copyOf(connections).stream().filter(which).forEach(connection -> connection.close(errno));
    }

    /** The next connection in turn; null if there is none. */
    private @Nullable Connection nextConnection() {
        if (only != null || connections.isEmpty()) {
            return only;
        }
        turn = (turn + 1) % connections.size();
        return connections.get(turn);
    }

    /** A number that selects the completion vector of the next connection: another one each time. */
    int nextVector() {
        return Long.hashCode(nidValue) + vectors++;
    }

    /** Returns whether the peer is in the table. A peer outside the table accepts no new messages. */
    boolean isLinked() {
        return linked;
    }

    void unlink() {
        linked = false;
    }

    /** The depth to offer: the peer's limit and ours, but no more than queue pairs were given before. */
    int queueDepth() {
        return Math.min(queueDepth, feasibleDepth);
    }

    /** Remembers that the device had no memory for more. */
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

    /** The incarnation we met last; 0 if we never met. */
    long incarnation() {
        return incarnation;
    }

    /** Returns whether a message's incarnation differs from the known one. */
    boolean isOtherIncarnation(long stamp) {
        return known && stamp != incarnation;
    }

    void met(long stamp) {
        known = true;
        incarnation = stamp;
    }

    /** Records the incarnation of a rejection, if it has one. */
    void told(long stamp) {
        if (stamp != 0 && stamp != RejectData.UNKNOWN_INCARNATION) {
            met(stamp);
        }
    }

    /** Returns the number of connection attempts in progress, of either side, or planned. */
    int attempts() {
        return connecting + accepting + reconnecting;
    }

    boolean isConnecting() {
        return connecting > 0;
    }

    /** Returns whether no attempt is left that could make a connection. */
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

    /** Returns whether to reject the request of a peer that this node outranks and connects to itself. */
    boolean losesRace() {
        if (connecting == 0 || races >= MAX_RACES) {
            return false;
        }
        races++;
        return true;
    }

    /** Takes a connect of the peer; one of ours that waits for another try is not needed any more. */
    void accepting() {
        reconnecting = 0;
        races = 0;
        accepting++;
    }

    /** Returns whether another attempt makes sense after a rejection; if so, counts it as planned. */
    boolean planReconnect() {
        boolean useful = !waiting.isEmpty() && connecting > 0 && accepting == 0;
        reconnecting += useful ? 1 : 0;
        return useful;
    }

    /** Turns a planned attempt into one in progress. Returns false if a connection was made in the meantime. */
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

    /** Attempts in a row that followed a refusal. */
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
