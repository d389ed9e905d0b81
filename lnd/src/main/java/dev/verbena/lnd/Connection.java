// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.engine.ConnectionEngine;
import dev.verbena.lnd.engine.EngineLimits;
import dev.verbena.lnd.engine.EnginePort;
import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.engine.RepostEffect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.Nid;
import dev.verbena.spi.callerruns.CallerRunsHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a peer, from the connection attempt to the destruction of its verbs objects. A thread that calls a
 * method of {@code Connection} must hold the lock of the connection's CPU partition. Source: {@code struct kib_conn}.
 */
final class Connection extends Scheduler.Source implements EnginePort<TxDescriptor>, CallerRunsHandler {

    private final Owner owner;
    private final NodeContext context;
    private final Peer peer;
    private final Nid nid;
    private final ConnectionId id;
    private final boolean active;
    private final Partition partition;
    private final MemorySegment memory;
    private final Queue<RxDescriptor> early = new ArrayDeque<>();

    private ConnectionState state = ConnectionState.INIT;
    private long since;
    private int maxFragments;
    private int offeredDepth;
    private int queueDepth;
    private long peerStamp;
    private @Nullable Endpoint endpoint;
    private @Nullable ConnectionEngine<TxDescriptor> engine;
    private int error;
    private boolean reconnect;
    private boolean connected;
    private boolean released = true;

    interface Owner {
        void closing(Connection connection);

        void drained();
    }

    Connection(Owner owner, Peer peer, ConnectionId id, boolean active) {
        super(peer.cpt().scheduler());
        this.owner = owner;
        context = peer.context();
        this.peer = peer;
        nid = peer.nid();
        this.id = id;
        this.active = active;
        partition = peer.partition();
        memory = partition.memory().segment();
        since = now();
    }

    NodeContext context() {
        return context;
    }

    Cpt cpt() {
        return partition.cpt();
    }

    long now() {
        return cpt().now();
    }

    Peer peer() {
        return peer;
    }

    Nid nid() {
        return nid;
    }

    MemorySegment memory() {
        return memory;
    }

    Partition partition() {
        return partition;
    }

    @Override
    public void onCompletion(CompletionQueue queue) {
        ready();
    }

    @Override
    boolean turn() {
        return CompletionFlow.turn(this);
    }

    ConnectionId id() {
        return id;
    }

    boolean isActive() {
        return active;
    }

    ConnectionState state() {
        return state;
    }

    void state(ConnectionState next) {
        state = next;
        since = now();
    }

    long since() {
        return since;
    }

    @Nullable Endpoint endpoint() {
        return endpoint;
    }

    void destroyed() {
        if (endpoint != null) {
            endpoint.releaseBuffers();
            endpoint = null;
        }
        if (engine != null) {
            engine.abort(error);
            engine.terminate();
        }
    }

    void createEndpoint(int depth, int fragments) throws VerbsException {
        Endpoint made = new Endpoint(context.tunables(), partition, id, this, peer.nextVector(), depth, fragments);
        endpoint = made;
        offeredDepth = made.queueDepth();
        if (offeredDepth < peer.queueDepth()) {
            peer.feasibleDepth(offeredDepth);
        }
        maxFragments = fragments;
    }

    int offeredDepth() {
        return offeredDepth;
    }

    int maxFragments() {
        return maxFragments;
    }

    int queueDepth() {
        return queueDepth;
    }

    /** Creates the {@link ConnectionEngine}; messages queued after this call wait until {@link #start} is called. */
    void negotiated(int depth, int fragments, long stamp) {
        O2ibTunables tunables = context.tunables();
        queueDepth = depth;
        maxFragments = fragments;
        peerStamp = stamp;
        engine = new ConnectionEngine<>(
                partition.shared(new EngineLimits(
                        depth,
                        EngineLimits.highWater(depth, tunables.peerCreditsHiw(), tunables.peerCredits()),
                        Objects.requireNonNull(endpoint, "no endpoint").concurrentSends(),
                        tunables.timeout().toNanos(),
                        tunables.keepalive().toNanos())),
                this);
    }

    long peerStamp() {
        return peerStamp;
    }

    ConnectionEngine<TxDescriptor> engine() {
        return Objects.requireNonNull(engine, "connection has not been negotiated");
    }

    boolean hasEngine() {
        return engine != null;
    }

    int error() {
        return error;
    }

    void error(int errno) {
        if (error == 0) {
            error = errno;
        }
    }

    /** Returns whether this node has scheduled a reconnect after the peer rejected this connection attempt. */
    boolean reconnect() {
        return reconnect;
    }

    void reconnect(boolean again) {
        reconnect = again;
    }

    void connected() {
        connected = true;
        released = false;
    }

    boolean wasConnected() {
        return connected;
    }

    boolean isReleased() {
        return released;
    }

    void release() {
        released = true;
    }

    Queue<RxDescriptor> early() {
        return early;
    }

    /**
     * Queues a message. This method also packs the RDMA descriptor, if any, because the peer's fragment limit is unknown
     * before the connection setup.
     */
    void queue(TxDescriptor tx) {
        @Nullable RdmaTransfer transfer = tx.transfer();
        if (transfer != null && tx.type().hasDescriptor()) {
            int status;
            try {
                status = pack(tx, transfer);
            } catch (RuntimeException | Error e) {
                tx.fail(-Errno.EIO.number(), HealthClass.LOCAL_ERROR);
                done(tx);
                throw e;
            }
            if (status < 0) {
                tx.fail(status, HealthClass.LOCAL_ERROR);
                done(tx);
                return;
            }
        }
        engine().queue(tx, now());
    }

    private int pack(TxDescriptor tx, RdmaTransfer transfer) {
        int status = prepare(transfer);
        if (status == 0) {
            describe(tx, transfer);
        }
        return status;
    }

    /**
     * Prepares the memory to which the peer will write. Reduces the number of memory fragments to the peer's limit, and
     * sets the queue pair of the transfer. Returns 0 or a negative errno.
     */
    int prepare(RdmaTransfer transfer) {
        int status = partition.transfers().limit(transfer, maxFragments);
        return status == 0 && endpoint != null ? transfer.registration().join(endpoint.queuePair()) : status;
    }

    private static void describe(TxDescriptor tx, RdmaTransfer transfer) {
        FragmentList fragments = transfer.registration().wire();
        RdmaDescriptor descriptor =
                tx.message().describe(transfer.registration().rkey(), fragments.count());
        for (int i = 0; i < fragments.count(); i++) {
            descriptor.fragment(i, fragments.length(i), fragments.offset(i));
        }
    }

    void start() {
        state(ConnectionState.ESTABLISHED);
        engine().established(since);
    }

    /** Marks a receive buffer as used by LNet; {@link #repost} clears the mark. */
    void hold(RxDescriptor rx) {
        rx.held(true);
        Objects.requireNonNull(endpoint, "a message without an endpoint").held(rx.index(), true);
    }

    void repost(RxDescriptor rx, RepostEffect effect) {
        if (rx.isHeld()) {
            rx.held(false);
            if (endpoint == null) {
                partition.memory().free(rx.offset(), Protocol.MESSAGE_SIZE);
            } else {
                endpoint.held(rx.index(), false);
            }
        }
        if (state != ConnectionState.ESTABLISHED) {
            return;
        }
        int status = Objects.requireNonNull(endpoint).postReceive(rx.index());
        if (status < 0) {
            close(status);
        } else if (!engine().reposted(effect, now())) {
            close(-Errno.EPROTO.number());
        }
    }

    /** Starts to close the connection. The {@link Daemon} later destroys the connection. The errno 0 means no error. */
    void close(int errno) {
        if (state.isConnecting()) {
            error(errno);
        } else if (state == ConnectionState.ESTABLISHED) {
            error(errno);
            state(ConnectionState.CLOSING);
            owner.closing(this);
        }
    }

    void reportDrained() {
        if (state == ConnectionState.DISCONNECTED && isDrained()) {
            owner.drained();
        }
    }

    boolean isDrained() {
        return endpoint == null || (endpoint.posted() == 0 && (engine == null || engine.sendsPosted() == 0));
    }

    @Override
    public int post(TxDescriptor tx, int credits) {
        tx.message()
                .header()
                .credits(credits)
                .sourceNid(peer.ni().nid())
                .sourceStamp(peer.ni().incarnation())
                .destinationNid(nid)
                .destinationStamp(peerStamp);
        tx.message().finish(context.tunables().checksum());
        int status = Objects.requireNonNull(endpoint).post(tx);
        if (status == 0) {
            cpt().counters().sent(tx);
        }
        return status;
    }

    @Override
    public @Nullable TxDescriptor takeNoop() {
        return partition.transmits().take(MessageType.NOOP);
    }

    @Override
    public void done(TxDescriptor transmit) {
        SendFlow.done(transmit, partition, peer);
    }

    @Override
    public void fail(int errno) {
        close(errno);
    }

    @Override
    public String toString() {
        return (active ? "connection to " : "connection from ") + peer.nid() + " " + state
                + (engine == null
                        ? ""
                        : " credits " + engine.credits() + " owes " + engine.outstanding() + " reserved "
                                + engine.reserved() + " pending " + engine.pending())
                + (error == 0 ? "" : " error " + error);
    }
}
