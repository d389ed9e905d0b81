package dev.verbena.sim.qp;

import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Psn;

/** Takes the requests of {@link DirectRequests}, each of one packet that is not sent: the responder's part of them. */
public final class DirectArrivals {
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();

    final QpContext qp;
    private final ReceiveState state;
    private final QpMemory memory;
    private final ReceiveSource receives;
    private final QpOutput out;
    private int untoldPackets;
    private long untoldBytes;
    private boolean answered;

    DirectArrivals(QpContext qp, ReceiveState state, QpMemory memory, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.memory = memory;
        this.receives = receives;
        this.out = out;
    }

    /**
     * Whether a request with a PSN is what comes next here. Packets that wait have no part in that: a peer that has nothing under way
     * waits for the answer to none of them.
     */
    boolean expects(int psn) {
        return isReady()
                && state.psn == psn
                && state.inside == ReceiveState.Inside.NOTHING
                && !state.readAnswered
                && !state.owesAck
                && qp.isByTheBook();
    }

    private boolean isReady() {
        return switch (qp.state()) {
            case RTS, SQD, SQE -> true;
            // In RTR the first request of a peer is an event.
            case RESET, INIT, RTR, ERR -> false;
        };
    }

    /** Carries out an RDMA WRITE; false if that is not possible at once, and nothing was done. */
    boolean write(QpMemory from, SendWqe wqe, int bytes, int packetBytes) {
        boolean done = isReady() && (qp.accessMask & REMOTE_WRITE) != 0 && from.copyAtOnce(wqe, bytes, memory);
        if (done) {
            take(packetBytes);
        }
        return done;
    }

    /**
     * Fills a receive with a SEND; false if that is not possible at once. Then it can still be sent, and gets the receive that it
     * would have got.
     */
    boolean fill(QpMemory from, SendWqe wqe, int bytes, int packetBytes) {
        boolean done = isReady()
                // First of all, as a receive that is taken is gone from its queue.
                && from.isAtHand(wqe, bytes)
                && receives.take()
                && Integer.compareUnsigned(bytes, receives.buffer().remaining()) <= 0
                && from.copyAtOnce(wqe, bytes, memory, receives.buffer());
        if (done) {
            qp.record.tookReceive = true;
            take(packetBytes);
        }
        return done;
    }

    /** Completes the receive that was filled; false if that cannot be told, and so must not be acknowledged. */
    boolean completeReceive(SendWqe wqe, int bytes) {
        settle();
        boolean told = out.completeReceive(
                receives.finish(),
                WorkCompletionStatus.SUCCESS,
                WorkCompletionOpcode.RECEIVE,
                bytes,
                0,
                0,
                0,
                wqe.has(SendFlag.SOLICITED));
        if (!told) {
            qp.record.overran();
            qp.fail();
            out.failed();
        }
        return told;
    }

    private void take(int packetBytes) {
        untoldPackets++;
        untoldBytes += packetBytes;
    }

    /** Makes PSN and counters tell of all that came, before somebody can know of it. */
    void settle() {
        int packets = untoldPackets;
        if (packets == 0) {
            return;
        }
        state.gapReported = false;
        state.psn = Psn.add(state.psn, packets);
        state.ackPsn = state.psn;
        state.msn = Psn.add(state.msn, packets);
        qp.record.lastRequestPsn = Psn.previous(state.psn);
        out.requestsReceived(packets, untoldBytes);
        untoldPackets = 0;
        untoldBytes = 0;
    }

    /** Counts the one acknowledgement of all, in the same way. */
    void acknowledge(int packetBytes) {
        if (!answered) {
            answered = true;
            out.responseSent(packetBytes);
        }
    }

    /** Leaves the memory that is used again and again. */
    void leave() {
        memory.endRun();
    }

    /** Nothing more will come. */
    void end() {
        leave();
        answered = false;
    }
}
