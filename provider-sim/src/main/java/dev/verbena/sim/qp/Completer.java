package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Turns responses into completions of sends: rxe_completer. One step handles at most one response.
 *
 * <p>Any response shows that everything before its PSN has arrived. That completes SENDs and WRITEs; a READ, an atomic, an
 * ATOMIC_WRITE and a FLUSH need an answer of their own, and if a later response comes first, theirs was lost: sending goes back
 * to them (implied NAK).
 *
 * <p>Two budgets bound repetition: retries after a missing or negative acknowledgement, RNR retries after the peer had no
 * receive. Both are refilled by any progress, so they count failures in a row. When one is used up the request completes with
 * its status, the queue pair goes to ERR, and what is left is flushed in order.
 */
final class Completer {
    private static final long[] RNR_NANOS = new long[32];
    private static final int FOR_EVER = 7;

    static {
        for (int code = 0; code < RNR_NANOS.length; code++) {
            RNR_NANOS[code] = RnrTimer.ofCode(code).nanos();
        }
    }

    private final QpContext qp;
    private final SendState state;
    private final Requester requester;
    private final QpMemory memory;
    private final QpOutput out;
    private final SendFront front;
    private final MemorySegment eightBytes = MemorySegment.ofArray(new long[1]);

    Completer(QpContext qp, SendState state, Requester requester, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.requester = requester;
        this.memory = memory;
        this.out = out;
        front = new SendFront(qp, out);
    }

    /** Does one step; true if there may be more to do. */
    boolean step(long now) {
        return switch (qp.state()) {
            case RESET, INIT, RTR -> {
                qp.responses.discard(out);
                yield false;
            }
            case ERR -> {
                qp.responses.discard(out);
                flush();
                yield false;
            }
            case RTS, SQD, SQE -> stepReady(now);
        };
    }

    private boolean stepReady(long now) {
        if (!front.isEmpty()) {
            switch (front.head().state()) {
                case DONE -> {
                    complete(WorkCompletionStatus.SUCCESS);
                    return true;
                }
                case ERROR -> {
                    requester.failure(front.head());
                    fail(front.head().status());
                    return true;
                }
                case POSTED, PROCESSING, PENDING -> {
                    // It waits for a response, or for the requester.
                }
            }
        }
        SimPacket packet = qp.responses.poll();
        if (packet != null) {
            onResponse(packet);
            packet.release();
            return true;
        }
        if (state.isRetransmitDue(now)) {
            retry(true);
            return true;
        }
        return false;
    }

    private void onResponse(SimPacket packet) {
        int psn = packet.psn();
        if (qp.has(Quirk.GHOST_ACK_COMPLETES)
                && Psn.isBefore(state.ackedPsn, state.sentPsn)
                && !Psn.isBefore(psn, state.sentPsn)) {
            psn = Psn.previous(state.sentPsn);
        }
        if (!Psn.isBefore(psn, state.sentPsn) || Psn.isBefore(psn, state.ackedPsn)) {
            out.count(Counter.DROPPED_RESPONSE);
            return;
        }
        qp.record.lastResponsePsn = psn;
        if (!acknowledgeBefore(psn)) {
            retry(false);
            return;
        }
        if (front.isEmpty() || !isUnderWay(front.head())) {
            out.count(Counter.DROPPED_RESPONSE);
            return;
        }
        if (packet.opcode() == Opcode.RC_ACKNOWLEDGE) {
            onAcknowledge(packet.syndrome(), psn);
        } else if (packet.opcode() == Opcode.RC_ATOMIC_ACKNOWLEDGE) {
            onAtomicAnswer(packet, psn);
        } else {
            onReadResponse(packet, psn);
        }
    }

    /**
     * Everything before a PSN has arrived: completes the requests that end before it. False if the answer to one of them is
     * missing; then everything before that answer is acknowledged.
     */
    private boolean acknowledgeBefore(int end) {
        int reached = end;
        while (!front.isEmpty()) {
            SendWqe head = front.head();
            if (head.state() != WqeState.DONE) {
                if (!isUnderWay(head)) {
                    break;
                }
                if (RequestOpcodes.isAnswered(head.opcode())) {
                    int next = Psn.isAfter(head.firstPsn(), state.ackedPsn) ? head.firstPsn() : state.ackedPsn;
                    if (Psn.isBefore(next, end)) {
                        reached = next;
                    }
                    break;
                }
                if (!Psn.isBefore(head.lastPsn(), end)) {
                    break;
                }
            }
            complete(WorkCompletionStatus.SUCCESS);
        }
        acknowledged(reached);
        return reached == end;
    }

    /** Notes that everything before a PSN is acknowledged. */
    private void acknowledged(int endPsn) {
        if (endPsn == state.ackedPsn) {
            return;
        }
        state.window.acknowledged(Psn.distance(state.ackedPsn, endPsn));
        state.ackedPsn = endPsn;
        state.refillBudgets(qp);
        state.restartRetransmitTimer(qp);
        if (Psn.isAfter(endPsn, state.psn)) {
            // Sending had gone back further than it need have.
            requester.rewind();
        }
    }

    private static boolean isUnderWay(SendWqe wqe) {
        return wqe.state() == WqeState.PROCESSING || wqe.state() == WqeState.PENDING;
    }

    private void onAcknowledge(int syndrome, int psn) {
        switch (Aeth.kind(syndrome)) {
            case ACK -> {
                SendOpcode operation = front.head().opcode();
                // Soft-RoCE may answer an ATOMIC_WRITE so. For the others it is the answer to a duplicate before them.
                boolean enough = !RequestOpcodes.isAnswered(operation)
                        || operation == SendOpcode.ATOMIC_WRITE
                        || qp.has(Quirk.ACK_COMPLETES_READ);
                if (enough) {
                    finish(psn);
                } else {
                    out.count(Counter.DROPPED_RESPONSE);
                }
            }
            case RNR_NAK -> onRnrNak(Aeth.rnrTimerCode(syndrome), psn);
            case NAK -> onNak(syndrome, psn);
            case RESERVED -> badResponse(Opcode.RC_ACKNOWLEDGE, psn);
        }
    }

    private void onAtomicAnswer(SimPacket packet, int psn) {
        SendWqe head = front.head();
        if (!head.opcode().isAtomic() || Aeth.kind(packet.syndrome()) != Aeth.Kind.ACK) {
            badResponse(packet.opcode(), psn);
            return;
        }
        eightBytes.set(ValueLayout.JAVA_LONG, 0, packet.originalValue());
        if (!memory.scatter(head.scatter(), eightBytes, 0, Long.BYTES)) {
            qp.record.refused(FailureCause.LOCAL_KEY, psn, memory.refusal, true);
            fail(WorkCompletionStatus.LOC_PROT_ERR);
            return;
        }
        finish(psn);
    }

    private void onReadResponse(SimPacket packet, int psn) {
        SendWqe head = front.head();
        SendOpcode operation = head.opcode();
        Opcode opcode = packet.opcode();
        if (opcode.hasAeth() && Aeth.kind(packet.syndrome()) != Aeth.Kind.ACK) {
            badResponse(opcode, psn);
            return;
        }
        if (operation == SendOpcode.ATOMIC_WRITE || operation == SendOpcode.FLUSH) {
            if (opcode.isOnly() && packet.payloadLength() == 0) {
                finish(psn);
            } else {
                badResponse(opcode, psn);
            }
            return;
        }
        if (operation != SendOpcode.RDMA_READ) {
            if (qp.has(Quirk.UNEXPECTED_READ_RESPONSE_IS_FATAL)) {
                qp.record.failed(FailureCause.BAD_RESPONSE, psn, opcode.code(), 0);
                fail(WorkCompletionStatus.FATAL_ERR);
            } else {
                badResponse(opcode, psn);
            }
            return;
        }
        boolean last = psn == head.lastPsn();
        int expected = last ? head.scatter().remaining() : qp.pathMtu;
        if (opcode.isEnd() != last) {
            badResponse(opcode, psn);
        } else if (packet.payloadLength() != expected) {
            qp.record.failed(FailureCause.READ_LENGTH, psn, packet.payloadLength(), Integer.toUnsignedLong(expected));
            fail(WorkCompletionStatus.LOC_LEN_ERR);
        } else if (!memory.scatter(head.scatter(), packet)) {
            qp.record.refused(FailureCause.LOCAL_KEY, psn, memory.refusal, true);
            fail(WorkCompletionStatus.LOC_PROT_ERR);
        } else {
            finish(psn);
        }
    }

    /** A packet of the oldest request is acknowledged; the request is complete if it was the last one. */
    private void finish(int psn) {
        if (psn == front.head().lastPsn()) {
            complete(WorkCompletionStatus.SUCCESS);
        }
        acknowledged(Psn.next(psn));
    }

    private void onRnrNak(int timerCode, int psn) {
        out.count(Counter.RCVD_RNR_ERR);
        qp.record.lastRnrCode = timerCode;
        if (state.isRnrWaiting()) {
            return;
        }
        if (!qp.rnrForever && state.rnrRetriesLeft == 0) {
            out.count(Counter.RETRY_RNR_EXCEEDED_ERR);
            qp.record.failed(FailureCause.RNR_RETRIES_USED_UP, psn, 0, 0);
            fail(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
            return;
        }
        state.rnrRetriesLeft--;
        state.startRnrTimer(RNR_NANOS[timerCode]);
    }

    private void onNak(int syndrome, int psn) {
        qp.record.lastNakSyndrome = syndrome;
        qp.record.lastNakPsn = psn;
        if (syndrome != Aeth.NAK_PSN_SEQUENCE) {
            qp.record.failed(FailureCause.NAK, psn, syndrome, 0);
        }
        switch (syndrome) {
            case Aeth.NAK_PSN_SEQUENCE -> {
                out.count(Counter.RCVD_SEQ_ERR);
                // Behind an RNR NAK a gap is what one has to expect.
                if (!state.isRnrWaiting() || qp.has(Quirk.SENDS_DURING_RNR_WAIT)) {
                    retry(false);
                }
            }
            case Aeth.NAK_INVALID_REQUEST -> fail(WorkCompletionStatus.REM_INV_REQ_ERR);
            case Aeth.NAK_REMOTE_ACCESS -> fail(WorkCompletionStatus.REM_ACCESS_ERR);
            default -> fail(WorkCompletionStatus.REM_OP_ERR);
        }
    }

    private void retry(boolean timeout) {
        if (state.startedRetry && !timeout) {
            return;
        }
        boolean unlimited = qp.retryCount == FOR_EVER && qp.has(Quirk.RETRIES_FOR_EVER);
        if (state.retriesLeft == 0 && !unlimited) {
            out.count(Counter.RETRY_EXCEEDED_ERR);
            qp.record.failed(FailureCause.RETRIES_USED_UP, state.ackedPsn, 0, 0);
            fail(WorkCompletionStatus.RETRY_EXC_ERR);
            return;
        }
        state.retriesLeft--;
        state.startedRetry = true;
        state.needRetry = true;
        state.window.lost();
        state.restartRetransmitTimer(qp);
        out.count(Counter.COMPLETER_RETRY_ERR);
    }

    private void complete(WorkCompletionStatus status) {
        if (front.head().holdsCredit()) {
            state.readsUnderWay--;
        }
        front.complete(status);
    }

    private void badResponse(Opcode opcode, int psn) {
        qp.record.failed(FailureCause.BAD_RESPONSE, psn, opcode.code(), 0);
        fail(qp.has(Quirk.BAD_RESPONSE_SUCCEEDS) ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.BAD_RESP_ERR);
    }

    /** The oldest request fails, and the queue pair with it. */
    private void fail(WorkCompletionStatus status) {
        // First, so that nobody finds the completion of an error and a queue pair that seems well.
        qp.fail();
        if (!front.isEmpty()) {
            complete(status);
        }
        state.stopTimers();
        out.failed();
    }

    private void flush() {
        state.stopTimers();
        front.flush();
        state.wqeIndex = qp.sendQueue.consumer();
    }
}
