package dev.verbena.sim.qp;

import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Psn;

/** Takes the requests of {@link DirectRequests}, each of one packet that is not sent: the responder's part of them. */
final class DirectArrivals {
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();

    private final QpContext qp;
    private final ReceiveState state;
    private final QpMemory memory;
    private final ReceiveSource receives;
    private final QpOutput out;

    DirectArrivals(QpContext qp, ReceiveState state, QpMemory memory, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.memory = memory;
        this.receives = receives;
        this.out = out;
    }

    /** Whether requests of a peer, with a PSN for the first one, are what comes next here. */
    boolean begin(QpContext peer, int firstPsn) {
        return isReady()
                && state.psn == firstPsn
                && state.inside == ReceiveState.Inside.NOTHING
                && !state.owesAck
                && qp.requests.isEmpty()
                && qp.isByTheBook()
                && peer.leadsTo(qp);
    }

    private boolean isReady() {
        return switch (qp.state()) {
            case RTS, SQD, SQE -> true;
            // In RTR the first request of a peer is an event.
            case RESET, INIT, RTR, ERR -> false;
        };
    }

    /** The payload of a full packet. */
    int pathMtu() {
        return qp.pathMtu;
    }

    /** Carries out an RDMA WRITE; false if that is not possible at once, and nothing was done. */
    boolean write(QpMemory from, SendWqe wqe, int bytes) {
        return isReady() && (qp.accessMask & REMOTE_WRITE) != 0 && from.copyAtOnce(wqe, bytes, memory);
    }

    /** Receives a SEND; false if that is not possible at once. Then it can still be sent, and gets the receive that it would have got. */
    boolean receive(QpMemory from, SendWqe wqe, int bytes) {
        if (!isReady() || !receives.take() || !from.copyAtOnce(wqe, bytes, memory, receives.buffer())) {
            return false;
        }
        qp.record.tookReceive = true;
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
            // As the completion is lost, so must be the acknowledgement.
            qp.record.overran();
            qp.fail();
            out.failed();
        }
        return told;
    }

    /** Ends what {@link #begin} began. */
    void end(int packets) {
        leave();
        if (packets > 0) {
            state.gapReported = false;
            state.psn = Psn.add(state.psn, packets);
            state.ackPsn = state.psn;
            state.msn = Psn.add(state.msn, packets);
            qp.record.lastRequestPsn = Psn.previous(state.psn);
        }
    }

    /** Leaves the memory that is used again and again. */
    void leave() {
        memory.endRun();
    }
}
