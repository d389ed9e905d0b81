// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.explain.QpRecord;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.memory.MemoryTable;
import dev.verbena.sim.memory.MemoryUser;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.profile.SendWindow;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Opcode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The shared state of the engines of one queue pair: identity, queues, attributes, and the path to the peer. A modify writes the
 * attributes before it changes to the state in which they apply.
 */
public final class QpContext {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(QpContext.class, "state", QpState.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final int number;
    final QpType type;
    /** The protection domain and number that access checks use. */
    final MemoryUser user;

    final boolean signalAll;
    final WorkQueue sendQueue;
    final WorkQueue receiveQueue;
    final MemoryTable memory;
    /** The limits of the requester's window on a reliable connection. */
    final SendWindow window;

    private final long quirks;
    final PacketQueue requests = new PacketQueue();
    final PacketQueue responses = new PacketQueue();

    final QpRecord record = new QpRecord();

    private volatile QpState state = QpState.RESET;

    /** In SQD: some begun requests are not complete yet. */
    private volatile boolean draining;

    private boolean tellsDrained;

    int accessMask;
    int pathMtu = 256;
    int queueKey;
    int destinationQpn;
    long ackTimeoutNanos;
    int retryCount;
    int rnrRetry;
    boolean rnrForever;
    int minRnrTimerCode;
    /** How many READs and atomics may be in flight (max_rd_atomic). */
    int readDepth;
    /** How many READs and atomics of the peer are remembered (max_dest_rd_atomic). */
    volatile int responderDepth;

    /** Replaced as a whole, since in SQD packets are sent and received while modify changes it. */
    private volatile Route path = Route.of(0, 0, 0, 0, 0, 0, 0);

    /**
     * Creates the context of a new queue pair, in RESET.
     *
     * @param number its 24-bit number
     * @param type its transport
     * @param domain its protection domain, compared by identity
     * @param signalAll {@code sq_sig_all}: whether every send request is signaled
     * @param sendQueue the send queue
     * @param receiveQueue the receive queue
     * @param memory the device's registered memory
     * @param window how many PSNs the requester of a reliable connection may have unacknowledged
     * @param quirks the departures from the specification: the sum of their {@link Quirk#mask()}
     */
    public QpContext(
            int number,
            QpType type,
            Object domain,
            boolean signalAll,
            WorkQueue sendQueue,
            WorkQueue receiveQueue,
            MemoryTable memory,
            SendWindow window,
            long quirks) {
        this.number = number;
        this.type = type;
        user = new MemoryUser(domain, number);
        this.signalAll = signalAll;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.memory = memory;
        this.window = window;
        this.quirks = quirks;
    }

    /** Whether this queue pair departs from the specification in this way. */
    boolean has(Quirk quirk) {
        return (quirks & quirk.mask()) != 0;
    }

    /**
     * Returns the number.
     *
     * @return 24 bits
     */
    public int number() {
        return number;
    }

    /**
     * Returns whether every send request is signaled.
     *
     * @return {@code sq_sig_all}
     */
    public boolean signalsAll() {
        return signalAll;
    }

    /**
     * Returns the record of failures and counts.
     *
     * @return the record, for explanations
     */
    public QpRecord record() {
        return record;
    }

    /**
     * Returns the transport.
     *
     * @return the type
     */
    public QpType type() {
        return type;
    }

    /**
     * Returns the state.
     *
     * @return the state at this moment
     */
    public QpState state() {
        return state;
    }

    /**
     * Changes the state. The engines that see the new state also see every attribute written before it.
     *
     * @param from the expected present state
     * @param to the new state
     * @return false if the state was another one, because an engine failed meanwhile
     */
    public boolean change(QpState from, QpState to) {
        return STATE.compareAndSet(this, from, to);
    }

    /**
     * Changes the state to ERR. Any thread may do so at any time.
     *
     * @return false in ERR and in RESET, which do not change
     */
    public boolean fail() {
        for (QpState seen = state; seen != QpState.RESET && seen != QpState.ERR; seen = state) {
            if (change(seen, QpState.ERR)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Leaves RTS or SQD because a send request failed locally. UC and UD go to SQE and still receive; RC goes to ERR. In any other
     * state this has no effect.
     */
    void failSending() {
        boolean recoverable = type != QpType.RC && !has(Quirk.NO_SQE);
        QpState next = recoverable ? QpState.SQE : QpState.ERR;
        if (!change(QpState.RTS, next)) {
            change(QpState.SQD, next);
        }
    }

    /** Changes the state to RESET, from any state. Neither sender nor receiver may be running. */
    public void reset() {
        draining = false;
        record.clear();
        state = QpState.RESET;
    }

    /**
     * Begins to drain the send queue, before the change to SQD.
     *
     * @param tell whether SQ_DRAINED is to be raised at the end
     */
    public void drain(boolean tell) {
        tellsDrained = tell;
        draining = true;
    }

    /**
     * Returns whether a queue pair in SQD has begun requests that are not complete.
     *
     * @return the {@code sq_draining} of {@code ibv_query_qp}
     */
    public boolean isDraining() {
        return draining;
    }

    /** Ends the draining. Returns whether SQ_DRAINED is to be raised. */
    boolean drained() {
        draining = false;
        return tellsDrained || has(Quirk.SQ_DRAINED_ALWAYS);
    }

    /**
     * Returns the send queue.
     *
     * @return the queue that post_send fills
     */
    public WorkQueue sendQueue() {
        return sendQueue;
    }

    /**
     * Returns the receive queue.
     *
     * @return the queue that post_recv fills
     */
    public WorkQueue receiveQueue() {
        return receiveQueue;
    }

    /**
     * Returns the queue of received requests.
     *
     * @return the responder's input
     */
    public PacketQueue requests() {
        return requests;
    }

    /**
     * Returns the queue of received responses.
     *
     * @return the completer's input
     */
    public PacketQueue responses() {
        return responses;
    }

    /**
     * Sets the remote accesses that the peer may make.
     *
     * @param mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public void access(int mask) {
        accessMask = mask;
    }

    /**
     * Sets the path MTU: the payload length of a full packet.
     *
     * @param bytes 256 to 4096
     */
    public void pathMtu(int bytes) {
        pathMtu = bytes;
    }

    /**
     * Sets the Q_Key that received datagrams must carry. Sends whose own Q_Key has bit 31 set use it, too.
     *
     * @param key the Q_Key, 32 bits
     */
    public void queueKey(int key) {
        queueKey = key;
    }

    /**
     * Returns the Q_Key that received datagrams must carry.
     *
     * @return the Q_Key
     */
    public int queueKey() {
        return queueKey;
    }

    /**
     * Sets the QPN of the peer.
     *
     * @param qpn 24 bits
     */
    public void destinationQpn(int qpn) {
        destinationQpn = qpn;
    }

    /**
     * Sets the ACK timeout.
     *
     * @param nanos nanoseconds, or 0 for no timeout
     */
    public void ackTimeout(long nanos) {
        ackTimeoutNanos = nanos;
    }

    /**
     * Sets retry_cnt: the retries allowed without progress.
     *
     * @param count 0 to 7
     */
    public void retryCount(int count) {
        retryCount = count;
    }

    /**
     * Sets rnr_retry: the retries allowed without progress while the peer has no receive.
     *
     * @param count 0 to 6; ignored if {@code forever}
     * @param forever whether retries are unlimited
     */
    public void rnrRetry(int count, boolean forever) {
        rnrRetry = count;
        rnrForever = forever;
    }

    /**
     * Sets min_rnr_timer: how long a peer must wait after it found no receive here.
     *
     * @param code the timer code, 0 to 31
     */
    public void minRnrTimer(int code) {
        minRnrTimerCode = code;
    }

    /**
     * Sets max_rd_atomic: how many READs and atomics may be in flight.
     *
     * @param depth 0 to allow none
     */
    public void readDepth(int depth) {
        readDepth = depth;
    }

    /**
     * Sets max_dest_rd_atomic: how many READs and atomics of the peer are remembered to answer duplicates.
     *
     * @param depth 0 to allow none
     */
    public void responderDepth(int depth) {
        responderDepth = depth;
    }

    /**
     * Sets the path to the peer.
     *
     * @param fromHi high half of the source GID
     * @param fromLo low half of the source GID
     * @param toHi high half of the destination GID
     * @param toLo low half of the destination GID
     * @param sourcePort UDP source port
     * @param traffic traffic class
     * @param hops hop limit
     */
    public void path(long fromHi, long fromLo, long toHi, long toLo, int sourcePort, int traffic, int hops) {
        path = Route.of(fromHi, fromLo, toHi, toLo, sourcePort, traffic, hops);
    }

    /**
     * Returns whether a packet's addresses are those of the path to the peer, reversed.
     *
     * @param packet a parsed packet
     * @return false if the source address is not the peer's, or the destination address is not the path's source
     */
    public boolean isFromPeer(SimPacket packet) {
        return path.isReverseOf(packet.route());
    }

    /** Returns the path to the peer. A changed path is another object. */
    Route path() {
        return path;
    }

    /** Whether the queue pair has no quirk. */
    boolean isByTheBook() {
        return quirks == 0;
    }

    /** Begins a packet to the peer, on the present path. */
    void begin(SimPacket packet, Opcode opcode, int psn) {
        packet.begin(path, opcode, destinationQpn, psn, !has(Quirk.MIGREQ_ZERO));
    }
}
