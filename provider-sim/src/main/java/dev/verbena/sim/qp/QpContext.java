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
 * The state that the requester, completer and responder of one queue pair share: QPN, queues, attributes, and address
 * vector. A call of {@code modify} writes the attributes before it changes the state. A requester, completer or responder
 * that sees the new state therefore also sees the new attributes.
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
    final MemoryUser user;

    final boolean signalAll;
    final WorkQueue sendQueue;
    final WorkQueue receiveQueue;
    final MemoryTable memory;
    final SendWindow window;

    private final long quirks;
    final PacketQueue requests = new PacketQueue();
    final PacketQueue responses = new PacketQueue();

    final QpRecord record = new QpRecord();

    private volatile QpState state = QpState.RESET;

    /** Whether the queue pair is in SQD and some requests that have begun are not complete yet. */
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
    /** The maximum number of READs, atomics, ATOMIC_WRITEs and FLUSHes in flight (max_rd_atomic). */
    int readDepth;
    /** The maximum number of the peer's requests that {@link ResponderResources} stores (max_dest_rd_atomic). */
    volatile int responderDepth;

    /**
     * A change of the address vector replaces the whole {@code Route} object, because in the state SQD other threads may
     * send and receive packets during the change.
     */
    private volatile Route path = Route.of(0, 0, 0, 0, 0, 0, 0);

    /**
     * Creates the context of a new queue pair, which is in the state RESET. The flag {@code signalAll} is the attribute
     * {@code sq_sig_all}. The bit set {@code quirks} contains the {@link Quirk#mask()} of each emulated quirk.
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

    boolean has(Quirk quirk) {
        return (quirks & quirk.mask()) != 0;
    }

    public int number() {
        return number;
    }

    public boolean signalsAll() {
        return signalAll;
    }

    public QpRecord record() {
        return record;
    }

    public QpType type() {
        return type;
    }

    public QpState state() {
        return state;
    }

    /**
     * Changes the queue pair's state. A thread that reads the new state also sees all attributes that the caller wrote
     * before this call. If the current state is not {@code from}, for example because the responder has moved the queue
     * pair to ERR, this method changes nothing and returns false.
     */
    public boolean change(QpState from, QpState to) {
        return STATE.compareAndSet(this, from, to);
    }

    /** Changes the state to ERR; callable from any thread. Does nothing and returns false in the states ERR and RESET. */
    public boolean fail() {
        for (QpState seen = state; seen != QpState.RESET && seen != QpState.ERR; seen = state) {
            if (change(seen, QpState.ERR)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Changes the state from RTS or SQD because a send request failed locally. UC and UD queue pairs go to SQE and still
     * receive; RC goes to ERR. In a state other than RTS and SQD this method has no effect.
     */
    void failSending() {
        boolean recoverable = type != QpType.RC && !has(Quirk.NO_SQE);
        QpState next = recoverable ? QpState.SQE : QpState.ERR;
        if (!change(QpState.RTS, next)) {
            change(QpState.SQD, next);
        }
    }

    /** Changes the state to RESET, from any state. The send task and the receive task must not be running. */
    public void reset() {
        draining = false;
        record.clear();
        state = QpState.RESET;
    }

    /**
     * Begins to drain the send queue. The caller calls this method before it changes the state to SQD. SQ_DRAINED is
     * raised only if {@code tell} is true.
     */
    public void drain(boolean tell) {
        tellsDrained = tell;
        draining = true;
    }

    /** Returns the {@code sq_draining} of {@code ibv_query_qp}. */
    public boolean isDraining() {
        return draining;
    }

    /** Ends the draining. Returns whether the caller must raise SQ_DRAINED. */
    boolean drained() {
        draining = false;
        return tellsDrained || has(Quirk.SQ_DRAINED_ALWAYS);
    }

    public WorkQueue sendQueue() {
        return sendQueue;
    }

    public WorkQueue receiveQueue() {
        return receiveQueue;
    }

    public PacketQueue requests() {
        return requests;
    }

    public PacketQueue responses() {
        return responses;
    }

    public void access(int mask) {
        accessMask = mask;
    }

    public void pathMtu(int bytes) {
        pathMtu = bytes;
    }

    /**
     * Sets the Q_Key required in received datagrams. If a send request contains a Q_Key with bit 31 set, the sent
     * datagram contains the Q_Key of the queue pair instead.
     */
    public void queueKey(int key) {
        queueKey = key;
    }

    public int queueKey() {
        return queueKey;
    }

    public void destinationQpn(int qpn) {
        destinationQpn = qpn;
    }

    /** Sets the ACK timeout; 0 means no timeout. */
    public void ackTimeout(long nanos) {
        ackTimeoutNanos = nanos;
    }

    /** Sets retry_cnt, the maximum number of retries without a newly acknowledged packet. */
    public void retryCount(int count) {
        retryCount = count;
    }

    /**
     * Sets rnr_retry, the maximum number of retries after RNR NAKs without a newly acknowledged packet. If {@code forever}
     * is true, {@code count} is ignored.
     */
    public void rnrRetry(int count, boolean forever) {
        rnrRetry = count;
        rnrForever = forever;
    }

    /** Sets min_rnr_timer: the encoded time that a peer must wait after an RNR NAK of this queue pair. */
    public void minRnrTimer(int code) {
        minRnrTimerCode = code;
    }

    public void readDepth(int depth) {
        readDepth = depth;
    }

    public void responderDepth(int depth) {
        responderDepth = depth;
    }

    public void path(long fromHi, long fromLo, long toHi, long toLo, int sourcePort, int traffic, int hops) {
        path = Route.of(fromHi, fromLo, toHi, toLo, sourcePort, traffic, hops);
    }

    public boolean isFromPeer(SimPacket packet) {
        return path.isReverseOf(packet.route());
    }

    /** Returns the address vector of the peer. Each change of the address vector creates a new {@code Route} object. */
    Route path() {
        return path;
    }

    boolean isByTheBook() {
        return quirks == 0;
    }

    void begin(SimPacket packet, Opcode opcode, int psn) {
        packet.begin(path, opcode, destinationQpn, psn, !has(Quirk.MIGREQ_ZERO));
    }
}
