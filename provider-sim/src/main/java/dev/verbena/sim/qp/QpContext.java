package dev.verbena.sim.qp;

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
 * What the engines of one queue pair know about it: identity, queues, attributes, and the path to the peer. Attributes are
 * written by modify before the state that makes them count.
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
    /** The queue pair as the checks on memory see it. */
    final MemoryUser user;

    final boolean signalAll;
    final WorkQueue sendQueue;
    final WorkQueue receiveQueue;
    final MemoryTable memory;
    /** How far the requester of a reliable connection may be ahead. */
    final SendWindow window;

    private final long quirks;
    final PacketQueue requests = new PacketQueue();
    final PacketQueue responses = new PacketQueue();

    final QpRecord record = new QpRecord();

    private volatile QpState state = QpState.RESET;

    /** In SQD: begun requests are not all complete yet. */
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
    /** How many READs and atomics may be under way. */
    int readDepth;
    /** How many READs and atomics of the peer are remembered. */
    volatile int responderDepth;

    /** Replaced as a whole, for in SQD packets travel while it changes. */
    private volatile Route path = Route.of(0, 0, 0, 0, 0, 0, 0);

    /**
     * Makes the context of a new queue pair.
     *
     * @param number its 24-bit number
     * @param type its transport
     * @param domain its protection domain, compared by identity
     * @param signalAll whether every send completes visibly
     * @param sendQueue the send queue
     * @param receiveQueue the receive queue
     * @param memory the device's registered memory
     * @param window how far the requester of a reliable connection may be ahead of what is acknowledged
     * @param quirks where it departs from the specification: the sum of {@link Quirk#mask()}
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

    /** Whether this queue pair does otherwise than the specification asks. */
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
     * Tells whether every send completes visibly.
     *
     * @return {@code sq_sig_all}
     */
    public boolean signalsAll() {
        return signalAll;
    }

    /**
     * Returns what happened to the queue pair.
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
     * Goes from one state to another; what was written before is seen by the engines with it.
     *
     * @param from the state that is to be left
     * @param to the new state
     * @return false if the state was another one, because an engine met an error
     */
    public boolean change(QpState from, QpState to) {
        return STATE.compareAndSet(this, from, to);
    }

    /**
     * Goes to ERR. An engine or the user may do so at any time.
     *
     * @return false if it is there already, or in RESET, which has nothing to fail
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
     * Leaves RTS or SQD because a send request failed on this side: a queue pair that nothing is acknowledged on goes to SQE
     * and receives on, others go to ERR. In any other state it is too late to do so.
     */
    void failSending() {
        boolean recoverable = type != QpType.RC && !has(Quirk.NO_SQE);
        QpState next = recoverable ? QpState.SQE : QpState.ERR;
        if (!change(QpState.RTS, next)) {
            change(QpState.SQD, next);
        }
    }

    /** Goes to RESET, from any state. Neither engine may be running. */
    public void reset() {
        draining = false;
        record.clear();
        state = QpState.RESET;
    }

    /**
     * Begins to drain the send queue; the state SQD follows.
     *
     * @param tell whether SQ_DRAINED is to be raised at the end
     */
    public void drain(boolean tell) {
        tellsDrained = tell;
        draining = true;
    }

    /**
     * Tells whether begun requests of a queue pair in SQD are not complete yet.
     *
     * @return the {@code sq_draining} of {@code ibv_query_qp}
     */
    public boolean isDraining() {
        return draining;
    }

    /** Ends the draining; whether that is to be told. */
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
     * Returns the requests that arrived.
     *
     * @return the responder's input
     */
    public PacketQueue requests() {
        return requests;
    }

    /**
     * Returns the responses that arrived.
     *
     * @return the completer's input
     */
    public PacketQueue responses() {
        return responses;
    }

    /**
     * Sets what the peer may do.
     *
     * @param mask of {@link dev.verbena.verbs.AccessFlag}
     */
    public void access(int mask) {
        accessMask = mask;
    }

    /**
     * Sets the payload of a full packet.
     *
     * @param bytes 256 to 4096
     */
    public void pathMtu(int bytes) {
        pathMtu = bytes;
    }

    /**
     * Sets the key that datagrams must carry to be received, and that privileged ones are sent with.
     *
     * @param key 32 bits
     */
    public void queueKey(int key) {
        queueKey = key;
    }

    /**
     * Returns the key that datagrams must carry.
     *
     * @return the Q_Key
     */
    public int queueKey() {
        return queueKey;
    }

    /**
     * Sets the peer's number.
     *
     * @param qpn 24 bits
     */
    public void destinationQpn(int qpn) {
        destinationQpn = qpn;
    }

    /**
     * Sets how long to wait for an acknowledgement.
     *
     * @param nanos 0 for ever
     */
    public void ackTimeout(long nanos) {
        ackTimeoutNanos = nanos;
    }

    /**
     * Sets how often to repeat without progress.
     *
     * @param count 0 to 7
     */
    public void retryCount(int count) {
        retryCount = count;
    }

    /**
     * Sets how often to repeat when the peer has no receive.
     *
     * @param count 0 to 6
     * @param forever to go on without limit
     */
    public void rnrRetry(int count, boolean forever) {
        rnrRetry = count;
        rnrForever = forever;
    }

    /**
     * Sets how long a peer is to wait that found no receive here.
     *
     * @param code 0 to 31
     */
    public void minRnrTimer(int code) {
        minRnrTimerCode = code;
    }

    /**
     * Sets how many READs and atomics may be under way at once.
     *
     * @param depth 0 for none at all
     */
    public void readDepth(int depth) {
        readDepth = depth;
    }

    /**
     * Sets how many READs and atomics of the peer are remembered, so that repetitions can be answered.
     *
     * @param depth 0 for none at all
     */
    public void responderDepth(int depth) {
        responderDepth = depth;
    }

    /**
     * Sets the path to the peer.
     *
     * @param fromHi source GID
     * @param fromLo source GID
     * @param toHi destination GID
     * @param toLo destination GID
     * @param sourcePort UDP source port
     * @param traffic traffic class
     * @param hops hop limit
     */
    public void path(long fromHi, long fromLo, long toHi, long toLo, int sourcePort, int traffic, int hops) {
        path = Route.of(fromHi, fromLo, toHi, toLo, sourcePort, traffic, hops);
    }

    /**
     * Tells whether a packet travels on the path to the peer, in the other direction.
     *
     * @param packet a parsed packet
     * @return false if an address is not the peer's or not the one used with it
     */
    public boolean isFromPeer(SimPacket packet) {
        return path.isReverseOf(packet.route());
    }

    /** The path to the peer; another one if it has changed. */
    Route path() {
        return path;
    }

    /** Whether it does all that the specification asks. */
    boolean isByTheBook() {
        return quirks == 0;
    }

    /** Begins a packet to the peer on the present path. */
    void begin(SimPacket packet, Opcode opcode, int psn) {
        begin(packet, path, opcode, psn);
    }

    /** Begins a packet to the peer. */
    void begin(SimPacket packet, Route route, Opcode opcode, int psn) {
        packet.begin(route, opcode, destinationQpn, psn, !has(Quirk.MIGREQ_ZERO));
    }
}
