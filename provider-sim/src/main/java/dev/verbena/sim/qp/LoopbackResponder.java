// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.memory.GrantedRange;
import dev.verbena.sim.memory.QpRole;
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
 * The responder of the loopback path: executes the requests of a {@link LoopbackRequester}. {@code LoopbackResponder}
 * contains all fields that each request needs. With many queue pairs, fields in a second object would cost a cache miss.
 */
public final class LoopbackResponder extends TaskCounters {
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.mask();

    private boolean mayWrite;
    private boolean answered;
    private boolean filled;
    private int uncountedPackets;
    private int uncountedBytes;
    private int deferredPackets;
    private int deferredReceives;
    /** The number of {@link #deferredPackets} that are not the first packet of a message. */
    private int deferredLaterPackets;

    private final int number;
    private final GrantedRange grant;
    /** The queue pair's own receive queue; null if the queue pair uses an SRQ. */
    private final @Nullable WorkQueue own;

    private final CompletionTarget completions;
    /** The last {@link LoopbackRequester} whose requests this responder executed. */
    private @Nullable LoopbackRequester sender;

    final QpContext qp;
    private final ReceiveState state;
    private final ReceiveSource receives;
    private final QpOutput out;

    LoopbackResponder(QpContext qp, ReceiveState state, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.receives = receives;
        this.out = out;
        number = qp.number;
        own = receives.ownQueue();
        completions = out.receiveTarget();
        grant = new GrantedRange(qp.memory, qp.user, QpRole.RESPONDER);
    }

    /**
     * Returns whether this responder accepts a SEND or RDMA WRITE with this PSN as the next request. This method does not
     * check whether received packets are queued. The caller has checked that the peer has no work request in flight, so
     * this responder has responded to every earlier request.
     */
    boolean expects(int psn) {
        return isReady()
                && state.psn() == psn
                && state.openMessage == ReceiveState.OpenMessage.NONE
                && !state.readAnswered
                && !state.owesAck
                && (own == null || !receives.isReserved())
                && qp.isByTheBook();
    }

    private boolean isReady() {
        return switch (qp.state()) {
            case RTS, SQD, SQE -> true;
            // In RTR the first request of the peer raises COMM_EST. The loopback path cannot raise COMM_EST.
            case RESET, INIT, RTR, ERR -> false;
        };
    }

    /** Begins the execution of a batch. The caller must first check the requester's next PSN with {@link #expects}. */
    @SuppressWarnings("ReferenceEquality") // Even a store of the same reference would update the GC's card table.
    void begin(LoopbackRequester from) {
        mayWrite = (qp.accessMask & REMOTE_WRITE) != 0;
        if (sender != from) {
            sender = from;
        }
    }

    /**
     * Returns whether {@code from} is the requester of this responder's last batch (invariant "<b>The same sender
     * resumes</b>").
     */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(LoopbackRequester from) {
        return sender == from;
    }

    /** Removes the reference to the peer's {@link LoopbackRequester}. The receive task must not be running. */
    public void forget() {
        sender = null;
    }

    /**
     * Begins write access to the target memory of an RDMA WRITE. Returns false, and changes nothing, if the access check
     * fails or the access would have to wait for another thread.
     */
    boolean openWrite(int rkey, long address, int bytes) {
        return mayWrite && grant.tryOpenRemote(rkey, REMOTE_WRITE, address, bytes);
    }

    /**
     * Begins write access to {@code bytes} bytes of a SEND's receive buffer, from the offset {@code done} on. Returns
     * false if the access check fails or the access would have to wait for another thread. If {@code openReceive}
     * returns false, the receive request stays posted, and the SEND takes the packet path.
     */
    boolean openReceive(int done, int bytes) {
        boolean open = own == null ? openShared(done, bytes) : openOwn(own, done, bytes);
        if (open) {
            filled = true;
        }
        return open;
    }

    /** Copies bytes to the target memory of the current access. Returns false if source or target memory has been freed. */
    boolean put(GrantedRange from, int bytes) {
        return grant.copyFrom(from, bytes);
    }

    /**
     * Copies bytes to the target memory of the access that {@link #openWrite} or {@link #openReceive} began. Returns false
     * if the target memory has been freed.
     */
    boolean put(MemorySegment from, long at, int bytes) {
        return grant.copyFrom(from, at, bytes);
    }

    /**
     * Begins write access to the first SGE of the oldest receive request, if the SGE is long enough. The request stays
     * queued.
     */
    private boolean openOwn(WorkQueue queue, int done, int bytes) {
        if (!queue.hasEntry()) {
            return false;
        }
        Slots slots = queue.slots();
        long at = queue.offset(queue.consumer());
        return Integer.compareUnsigned(done + bytes, ReceiveWqe.entryLength(slots, at)) <= 0
                && grant.tryOpenLocal(
                        ReceiveWqe.entryKey(slots, at), LOCAL_WRITE, ReceiveWqe.entryAddress(slots, at) + done, bytes);
    }

    /**
     * Reserves a receive request of the SRQ, and begins write access to a range of the request's buffer. If the access
     * cannot begin, the receive request stays reserved for the message (exception to the invariant "<b>All or nothing</b>",
     * docs/fast-paths.md).
     */
    private boolean openShared(int done, int bytes) {
        if (!receives.reserve()) {
            return false;
        }
        ScatterList buffer = receives.buffer();
        return Integer.compareUnsigned(done + bytes, buffer.remaining()) <= 0
                && buffer.step(done + bytes) == done + bytes
                && grant.tryOpenLocal(buffer.currentKey(), LOCAL_WRITE, buffer.currentAddress() + done, bytes);
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

    /** Completes the message's receive request. Returns false if the CQ is full; the message then stays unacknowledged. */
    boolean completeReceive(int bytes, int flags, int immediate, boolean solicited) {
        tell();
        deferredReceives++;
        receiveEnded();
        boolean told = completions.add(
                finish(),
                WorkCompletionStatus.SUCCESS,
                WorkCompletionOpcode.RECV,
                bytes,
                number,
                0,
                flags,
                immediate,
                solicited);
        if (!told) {
            flushDeferred();
            qp.record.failed(FailureCause.CQ_OVERRUN);
            qp.fail();
            out.failed();
        }
        return told;
    }

    void take(int packets, int packetBytes) {
        uncountedPackets += packets;
        uncountedBytes += packetBytes;
        deferredLaterPackets += packets - 1;
    }

    /** Adds the packets of executed requests to the device counters (invariant "<b>Counted before completed</b>"). */
    void tell() {
        int packets = uncountedPackets;
        if (packets == 0) {
            return;
        }
        deferredPackets += packets;
        received(packets, uncountedBytes);
        uncountedPackets = 0;
        uncountedBytes = 0;
    }

    /** Counts one acknowledgement for the whole batch in the device counters. */
    void acknowledge(int packetBytes) {
        if (!answered) {
            answered = true;
            sent(1, packetBytes);
        }
    }

    void closeGrant() {
        grant.close();
    }

    void end() {
        closeGrant();
        answered = false;
    }

    /**
     * Updates the PSNs and the MSN in {@link ReceiveState} after requests on the loopback path (invariant "<b>Flush before
     * reading</b>"). Only the thread that owns the receive task may call this method.
     */
    public void flushDeferred() {
        if (deferredPackets == 0) {
            return;
        }
        state.gapReported = false;
        state.advance(deferredPackets);
        state.ackPsn = state.psn();
        state.msn = Psn.add(state.msn, deferredPackets - deferredLaterPackets);
        qp.record.receiving().accepted(Psn.previous(state.psn()), filled, deferredReceives);
        deferredPackets = 0;
        deferredLaterPackets = 0;
        deferredReceives = 0;
        filled = false;
    }
}
