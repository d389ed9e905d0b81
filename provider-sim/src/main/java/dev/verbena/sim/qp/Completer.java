// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Turns responses into send completions, like {@code rxe_completer} of Soft-RoCE. Each {@link #step} handles at most one
 * response.
 *
 * <p>A response acknowledges every request packet whose PSN is before the PSN of the response. A SEND or WRITE completes
 * when its last packet is acknowledged. A READ, an atomic, an ATOMIC_WRITE and a FLUSH each need their own response. If the
 * response to a later request arrives first, the requester retransmits from the request without a response (implied NAK).
 *
 * <p>Two QP attributes limit consecutive retries: retry_cnt for timeouts, PSN sequence NAKs and implied NAKs, and rnr_retry
 * for RNR NAKs. Each newly acknowledged packet resets the numbers of remaining retries to retry_cnt and rnr_retry. If a
 * retry is due and no retry remains, the oldest request completes with an error, the queue pair goes to ERR, and the later
 * requests are flushed.
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
    private final SendQueueHead front;
    private final MemorySegment eightBytes = MemorySegment.ofArray(new long[1]);

    Completer(QpContext qp, SendState state, SendQueueHead front, Requester requester, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.requester = requester;
        this.memory = memory;
        this.out = out;
        this.front = front;
    }

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
                    // The oldest send request waits for a response, or has not been sent yet.
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
        qp.record.answered(psn);
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
     * Handles an acknowledgement of all packets before a PSN. Completes the requests that end before this PSN. If a
     * response, such as a READ response, has not arrived, only the packets before this response count as acknowledged.
     * Returns false if a response before the PSN has not arrived.
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

    private void acknowledged(int endPsn) {
        if (endPsn == state.ackedPsn) {
            return;
        }
        state.window.acknowledged(Psn.distance(state.ackedPsn, endPsn));
        state.ackedPsn = endPsn;
        state.refillBudgets(qp);
        state.restartRetransmitTimer(qp);
        if (Psn.isAfter(endPsn, state.psn)) {
            // The requester had begun to retransmit packets that this response acknowledges.
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
                // Soft-RoCE may respond to an ATOMIC_WRITE with a plain ACK. A plain ACK is never the response to a
                // READ, an atomic or a FLUSH, but it may acknowledge a duplicate of an earlier request.
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
        if (opcode.has(Extension.AETH) && Aeth.kind(packet.syndrome()) != Aeth.Kind.ACK) {
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

    private void finish(int psn) {
        if (psn == front.head().lastPsn()) {
            complete(WorkCompletionStatus.SUCCESS);
        }
        acknowledged(Psn.next(psn));
    }

    private void onRnrNak(int timerCode, int psn) {
        out.count(Counter.RCVD_RNR_ERR);
        qp.record.gotRnrNak(timerCode);
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
        state.armRnrTimer(RNR_NANOS[timerCode]);
    }

    private void onNak(int syndrome, int psn) {
        qp.record.gotNak(psn, syndrome);
        if (syndrome != Aeth.NAK_PSN_SEQUENCE) {
            qp.record.failed(FailureCause.NAK, psn, syndrome, 0);
        }
        switch (syndrome) {
            case Aeth.NAK_PSN_SEQUENCE -> {
                out.count(Counter.RCVD_SEQ_ERR);
                // During an RNR wait, a NAK for a PSN sequence error starts no retry. After the RNR wait, the requester
                // resends all unacknowledged packets.
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

    private void fail(WorkCompletionStatus status) {
        // The state changes first, so that a thread that polls the error completion finds the queue pair in ERR.
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
