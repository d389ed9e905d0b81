package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;

/**
 * Turns responses into completions of sends: rxe_completer. One step handles at most one response.
 *
 * <p>Two budgets bound repetition: retries after a missing or negative acknowledgement, RNR retries after the peer had no
 * receive. Both are refilled by any progress, so they count failures in a row. When one is used up the request completes with
 * its status, the queue pair goes to ERR, and what is left is flushed in order.
 */
final class Completer {
    private static final long[] RNR_NANOS = new long[32];

    static {
        for (int code = 0; code < RNR_NANOS.length; code++) {
            RNR_NANOS[code] = RnrTimer.ofCode(code).nanos();
        }
    }

    private final QpContext qp;
    private final SendState state;
    private final Requester requester;
    private final QpOutput out;
    private final SendFront front;

    Completer(QpContext qp, SendState state, Requester requester, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.requester = requester;
        this.out = out;
        front = new SendFront(qp, out);
    }

    /** Does one step; true if there may be more to do. */
    boolean step(long now) {
        return switch (qp.state()) {
            case RESET, INIT, RTR -> {
                qp.responses.drain();
                yield false;
            }
            case ERR -> {
                qp.responses.drain();
                flush();
                yield false;
            }
            case RTS, SQD, SQE -> stepReady(now);
        };
    }

    private boolean stepReady(long now) {
        SimPacket packet = qp.responses.poll();
        if (packet != null) {
            onResponse(packet, now);
            packet.release();
            return true;
        }
        if (!front.isEmpty() && front.head().state() == WqeState.ERROR) {
            failHead(front.head().status());
            return true;
        }
        if (now >= state.retransmitDeadline) {
            retry(true, now);
            return true;
        }
        return false;
    }

    private void onResponse(SimPacket packet, long now) {
        int psn = packet.bth().psn();
        if (!Psn.isBefore(psn, state.sentPsn) || Psn.isBefore(psn, state.ackedPsn)) {
            out.count(Counter.DROPPED_RESPONSE);
            return;
        }
        if (packet.opcode() != Opcode.RC_ACKNOWLEDGE) {
            fail(psn, WorkCompletionStatus.BAD_RESPONSE_ERROR, now);
            return;
        }
        Aeth aeth = packet.aeth();
        switch (aeth.kind()) {
            case ACK -> acknowledge(Psn.next(psn), now);
            case RNR_NAK -> onRnrNak(psn, aeth.rnrTimerCode(), now);
            case NAK -> onNak(psn, aeth.syndrome(), now);
            case RESERVED -> fail(psn, WorkCompletionStatus.BAD_RESPONSE_ERROR, now);
        }
    }

    /** Everything before a PSN has arrived: completes the requests that end before it. */
    private void acknowledge(int endPsn, long now) {
        if (endPsn == state.ackedPsn) {
            return;
        }
        state.ackedPsn = endPsn;
        state.refillBudgets(qp);
        state.restartTimer(qp, now);
        while (!front.isEmpty() && hasEnded(front.head())) {
            front.complete(WorkCompletionStatus.SUCCESS);
        }
        if (Psn.isAfter(endPsn, state.psn)) {
            // Sending had gone back further than it need have.
            requester.rewind();
        }
    }

    private boolean hasEnded(SendWqe candidate) {
        WqeState progress = candidate.state();
        return progress != WqeState.POSTED
                && progress != WqeState.ERROR
                && Psn.isBefore(candidate.lastPsn(), state.ackedPsn);
    }

    private void onRnrNak(int psn, int timerCode, long now) {
        out.count(Counter.RCVD_RNR_ERR);
        acknowledge(psn, now);
        if (state.rnrDeadline != SendState.NEVER) {
            return;
        }
        if (!qp.rnrForever && state.rnrRetriesLeft == 0) {
            out.count(Counter.RETRY_RNR_EXCEEDED_ERR);
            failHead(WorkCompletionStatus.RNR_RETRY_EXCEEDED_ERROR);
            return;
        }
        state.rnrRetriesLeft--;
        state.rnrDeadline = now + RNR_NANOS[timerCode];
        state.retransmitDeadline = SendState.NEVER;
    }

    private void onNak(int psn, int syndrome, long now) {
        switch (syndrome) {
            case Aeth.NAK_PSN_SEQUENCE -> {
                out.count(Counter.RCVD_SEQ_ERR);
                acknowledge(psn, now);
                // Behind an RNR NAK a gap is what one has to expect.
                if (state.rnrDeadline == SendState.NEVER) {
                    retry(false, now);
                }
            }
            case Aeth.NAK_INVALID_REQUEST -> fail(psn, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR, now);
            case Aeth.NAK_REMOTE_ACCESS -> fail(psn, WorkCompletionStatus.REMOTE_ACCESS_ERROR, now);
            default -> fail(psn, WorkCompletionStatus.REMOTE_OPERATION_ERROR, now);
        }
    }

    /** The peer refused a packet, so everything before it has arrived; the request that it is part of fails. */
    private void fail(int psn, WorkCompletionStatus status, long now) {
        acknowledge(psn, now);
        failHead(status);
    }

    private void retry(boolean timeout, long now) {
        if (state.startedRetry && !timeout) {
            return;
        }
        if (state.retriesLeft == 0) {
            out.count(Counter.RETRY_EXCEEDED_ERR);
            failHead(WorkCompletionStatus.RETRY_EXCEEDED_ERROR);
            return;
        }
        state.retriesLeft--;
        state.startedRetry = true;
        state.needRetry = true;
        state.restartTimer(qp, now);
        out.count(Counter.COMPLETER_RETRY_ERR);
    }

    private void failHead(WorkCompletionStatus status) {
        // First, so that nobody finds the completion of an error and a queue pair that seems well.
        qp.fail();
        if (!front.isEmpty()) {
            front.complete(status);
        }
        state.retransmitDeadline = SendState.NEVER;
        state.rnrDeadline = SendState.NEVER;
        out.failed();
    }

    private void flush() {
        state.retransmitDeadline = SendState.NEVER;
        state.rnrDeadline = SendState.NEVER;
        front.flush();
        state.wqeIndex = qp.sendQueue.ring().consumer();
    }
}
