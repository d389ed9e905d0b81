package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * Carries out SENDs and RDMA WRITEs of one packet at a peer in the same process, where nobody can see packets: does at once what
 * requester, packet, responder, acknowledgement and completer would bring about. Only where nothing is under way between the two
 * queue pairs, and only what succeeds; everything else is left to them, as if nobody had tried.
 *
 * <p>For who keeps both the sending half of this side and the receiving half of the other one from being stepped. From
 * {@link #begin} to {@link #end} nothing may be waited for.
 */
public final class DirectRequests {
    /** After so many the memory is left, for the sake of who wants to change it. */
    private static final int MAX_RUN = 32;

    private final QpContext qp;
    private final SendState state;
    private final QpMemory memory;
    private final QpOutput out;
    private final SendWqe wqe;
    private @Nullable DirectArrivals peer;
    private int mostBytes;
    private int packets;
    private long bytes;

    DirectRequests(QpContext qp, SendState state, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.memory = memory;
        this.out = out;
        wqe = new SendWqe(qp.type);
    }

    /**
     * Tells whether a request is of a kind that may be carried out in this way.
     *
     * @param slots where it is
     * @param offset where it begins there
     * @return false if there is no use in trying
     */
    public static boolean mayBe(Slots slots, long offset) {
        return switch (SendWqe.opcode(slots, offset)) {
            case SEND, RDMA_WRITE -> !SendWqe.has(slots, offset, SendFlag.INLINE);
            case SEND_WITH_IMMEDIATE,
                    SEND_WITH_INVALIDATE,
                    RDMA_WRITE_WITH_IMMEDIATE,
                    RDMA_READ,
                    ATOMIC_COMPARE_AND_SWAP,
                    ATOMIC_FETCH_AND_ADD,
                    ATOMIC_WRITE,
                    FLUSH,
                    BIND_MW,
                    REGISTER_MR,
                    LOCAL_INVALIDATE -> false;
        };
    }

    /**
     * Begins.
     *
     * @param other the engines of the other queue pair
     * @return false if something has to come before, or the two are not connected with each other
     */
    public boolean begin(QpEngine other) {
        DirectArrivals arrivals = other.directArrivals();
        boolean possible = arrivals != null
                && qp.state() == QpState.RTS
                && qp.isByTheBook()
                && qp.sendQueue.ring().isEmpty()
                && qp.responses.isEmpty()
                && state.isAtRest()
                && arrivals.begin(qp, state.psn);
        packets = 0;
        bytes = 0;
        if (arrivals != null && possible) {
            peer = arrivals;
            mostBytes = Math.min(qp.pathMtu, arrivals.pathMtu());
        }
        return possible;
    }

    /**
     * Carries out a request as it was posted, and completes it.
     *
     * @param slots where it is
     * @param offset where it begins there
     * @return false if it has to be sent
     */
    public boolean carryOut(Slots slots, long offset) {
        DirectArrivals arrivals = peer;
        wqe.wrap(slots, offset);
        int length = wqe.scatter().length();
        if (arrivals == null
                || length < 1
                || length > mostBytes
                || qp.state() != QpState.RTS
                || !mayBe(slots, offset)) {
            return false;
        }
        boolean send = wqe.opcode() == SendOpcode.SEND;
        boolean done = send ? arrivals.receive(memory, wqe, length) : arrivals.write(memory, wqe, length);
        if (done) {
            packets++;
            bytes += qp.lengthOf(send ? Opcode.RC_SEND_ONLY : Opcode.RC_RDMA_WRITE_ONLY, length);
            if (packets % MAX_RUN == 0) {
                leave(arrivals);
            }
            complete(send);
        }
        return done;
    }

    private void complete(boolean send) {
        if (send) {
            out.count(Counter.RDMA_SENDS);
        }
        if (qp.signalAll || wqe.has(SendFlag.SIGNALED)) {
            WorkCompletionOpcode opcode = send ? WorkCompletionOpcode.SEND : WorkCompletionOpcode.RDMA_WRITE;
            out.completeSend(wqe.workRequestId(), WorkCompletionStatus.SUCCESS, opcode, 0, 0);
        }
    }

    private void leave(DirectArrivals arrivals) {
        memory.endRun();
        arrivals.leave();
    }

    /** Ends what {@link #begin} began. */
    public void end() {
        DirectArrivals arrivals = peer;
        if (arrivals == null) {
            return;
        }
        peer = null;
        memory.endRun();
        arrivals.end(packets);
        if (packets > 0) {
            state.carriedOut(packets);
            qp.record.lastResponsePsn = Psn.previous(state.psn);
        }
    }

    /**
     * Tells how many requests were carried out since {@link #begin}.
     *
     * @return as many as request packets would have been sent
     */
    public int packets() {
        return packets;
    }

    /**
     * Tells how long those packets would have been.
     *
     * @return bytes, with IP headers
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Tells how long the acknowledgement of them all would have been.
     *
     * @return bytes, with IP headers
     */
    public int acknowledgementBytes() {
        return qp.lengthOf(Opcode.RC_ACKNOWLEDGE, 0);
    }
}
