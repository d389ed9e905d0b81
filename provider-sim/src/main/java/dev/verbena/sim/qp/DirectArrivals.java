package dev.verbena.sim.qp;

import dev.verbena.sim.counters.CounterShare;
import dev.verbena.sim.memory.Grant;
import dev.verbena.sim.memory.Half;
import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Psn;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Takes the requests of {@link DirectRequests}, whose packets are not sent: the responder's part of them. What each request needs is
 * here and not behind other objects: with many queue pairs each is far away.
 */
public final class DirectArrivals extends CounterShare {
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.mask();

    private boolean mayWrite;
    private boolean answered;
    private boolean filled;
    private int untoldPackets;
    private int untoldBytes;
    private int unsettledPackets;
    private int unsettledReceives;
    /** Those of the packets that were not the first ones of their messages. */
    private int unsettledFurther;

    private final int number;
    private final Grant grant;
    /** The queue pair's own receives, which are filled where they are; null if it takes from a shared queue. */
    private final @Nullable WorkQueue own;

    private final CompletionTarget completions;
    /** Whose requests the receiving half was last kept for. */
    private @Nullable DirectRequests sender;

    final QpContext qp;
    private final ReceiveState state;
    private final ReceiveSource receives;
    private final QpOutput out;

    DirectArrivals(QpContext qp, ReceiveState state, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.receives = receives;
        this.out = out;
        number = qp.number;
        own = receives.ownQueue();
        completions = out.receiveTarget();
        grant = new Grant(qp.memory, qp.user, Half.RECEIVING);
    }

    /**
     * Whether a request with a PSN is what comes next here. Packets that wait have no part in that: a peer that has nothing under way
     * waits for the answer to none of them.
     */
    boolean expects(int psn) {
        return isReady()
                && state.psn() == psn
                && state.inside == ReceiveState.Inside.NOTHING
                && !state.readAnswered
                && !state.owesAck
                && (own == null || !receives.isReserved())
                && qp.isByTheBook();
    }

    private boolean isReady() {
        return switch (qp.state()) {
            case RTS, SQD, SQE -> true;
            // In RTR the first request of a peer is an event.
            case RESET, INIT, RTR, ERR -> false;
        };
    }

    /** Begins to take what comes from somebody, as is expected. */
    @SuppressWarnings("ReferenceEquality") // A reference is only stored if it changes, as that has a barrier.
    void begin(DirectRequests from) {
        mayWrite = (qp.accessMask & REMOTE_WRITE) != 0;
        if (sender != from) {
            sender = from;
        }
    }

    /** Whether it was somebody's requests that were taken last. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(DirectRequests from) {
        return sender == from;
    }

    /** Forgets whose requests were taken, when the receiving half is not stepped. */
    public void forget() {
        sender = null;
    }

    /** Opens the memory that an RDMA WRITE goes to; false if that is not possible at once, and nothing was done. */
    boolean openWrite(int rkey, long address, int bytes) {
        return mayWrite && grant.tryOpenRemote(rkey, REMOTE_WRITE, address, bytes);
    }

    /**
     * Opens the memory of the receive that a SEND fills; false if that is not possible at once. Then it can still be sent, and gets the
     * receive that it would have got.
     */
    boolean openReceive(int bytes) {
        boolean open = own == null ? openShared(bytes) : openOwn(own, bytes);
        if (open) {
            filled = true;
        }
        return open;
    }

    /** Puts bytes where memory was opened for them. */
    void put(Grant from, int bytes) {
        grant.copyFrom(from, bytes);
    }

    /** Puts bytes where memory was opened for them. */
    void put(MemorySegment from, long at, int bytes) {
        grant.copyFrom(from, at, bytes);
    }

    /** The first entry of the oldest receive, if it is long enough; nothing is taken. */
    private boolean openOwn(WorkQueue queue, int bytes) {
        if (!queue.hasEntry()) {
            return false;
        }
        Slots slots = queue.slots();
        long at = queue.offset(queue.consumer());
        return Integer.compareUnsigned(bytes, ReceiveWqe.entryLength(slots, at)) <= 0
                && grant.tryOpenLocal(
                        ReceiveWqe.entryKey(slots, at), LOCAL_WRITE, ReceiveWqe.entryAddress(slots, at), bytes);
    }

    /** A receive that is taken is gone from its queue. */
    private boolean openShared(int bytes) {
        if (!receives.reserve()) {
            return false;
        }
        ScatterList buffer = receives.buffer();
        return Integer.compareUnsigned(bytes, buffer.remaining()) <= 0
                && buffer.step(bytes) == bytes
                && grant.tryOpenLocal(buffer.currentKey(), LOCAL_WRITE, buffer.currentAddress(), bytes);
    }

    private long finish() {
        WorkQueue queue = own;
        if (queue == null) {
            return receives.finish();
        }
        long id = ReceiveWqe.workRequestId(queue.slots(), queue.offset(queue.consumer()));
        queue.consume();
        return id;
    }

    /** Completes the receive that was filled; false if that cannot be told, and so must not be acknowledged. */
    boolean completeReceive(int bytes, boolean solicited) {
        tell();
        unsettledReceives++;
        receiveEnded();
        boolean told = completions.add(
                finish(), WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, bytes, number, 0, 0, 0, solicited);
        if (!told) {
            settle();
            qp.record.overran();
            qp.fail();
            out.failed();
        }
        return told;
    }

    /** Notes the packets of a message that was carried out. */
    void take(int packets, int packetBytes) {
        untoldPackets += packets;
        untoldBytes += packetBytes;
        unsettledFurther += packets - 1;
    }

    /** Makes the counters tell of all that came, before somebody can know of it. */
    void tell() {
        int packets = untoldPackets;
        if (packets == 0) {
            return;
        }
        unsettledPackets += packets;
        received(packets, untoldBytes);
        untoldPackets = 0;
        untoldBytes = 0;
    }

    /** Counts the one acknowledgement of all, in the same way. */
    void acknowledge(int packetBytes) {
        if (!answered) {
            answered = true;
            sent(1, packetBytes);
        }
    }

    /** Leaves the memory that is used again and again. */
    void leave() {
        grant.close();
    }

    /** Nothing more will come in this run. */
    void end() {
        leave();
        answered = false;
    }

    /** Tells the receiving half of what came, for who keeps it from being stepped. */
    public void settle() {
        if (unsettledPackets == 0) {
            return;
        }
        state.gapReported = false;
        state.advance(unsettledPackets);
        state.ackPsn = state.psn();
        state.msn = Psn.add(state.msn, unsettledPackets - unsettledFurther);
        ReceiveRecord record = qp.record.receiving;
        record.lastRequestPsn = Psn.previous(state.psn());
        record.tookReceive |= filled;
        record.receives += unsettledReceives;
        unsettledPackets = 0;
        unsettledFurther = 0;
        unsettledReceives = 0;
        filled = false;
    }
}
