// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;

/**
 * Turns send work requests into request packets, like {@code rxe_requester}. One call of {@link #step} sends at most one
 * packet or segment batch (one {@code SimPacket} for several packets).
 *
 * <p>The requester leaves no more PSNs unacknowledged than its send window allows. The requester sets AckReq on the last
 * packet of each request. If more than half a send window of packets in a row has no AckReq, the requester sets AckReq on
 * the next packet. When the completer requests a retry, the requester goes back to the oldest unacknowledged packet
 * (go-back-N, {@code req_retry}). During an RNR wait the requester sends nothing, and in SQD it begins no request.
 */
final class Requester {
    /**
     * The maximum number of packets in one segment batch (one {@code SimPacket} for several packets). A thread that
     * deregisters the memory of the payloads may wait a few microseconds, until all these payloads are copied.
     */
    private static final int MAX_SEGMENT_BATCH = 64;

    private final QpContext qp;
    private final SendState state;
    private final QpOutput out;
    private final QpMemory memory;
    private final RequestWriter writer;
    private final Ring ring;
    private final SendWqe wqe;

    Requester(QpContext qp, SendState state, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.out = out;
        this.memory = memory;
        wqe = new SendWqe(qp.type);
        writer = new RequestWriter(qp, memory, out);
        ring = qp.sendQueue;
    }

    boolean step(long now) {
        return switch (qp.state()) {
            case RTS -> stepReady(now, true);
            case SQD -> stepReady(now, false);
            case RESET, INIT, RTR, SQE, ERR -> false;
        };
    }

    private boolean stepReady(long now, boolean mayBegin) {
        if (state.isRnrWaiting()) {
            if (state.isRnrDue(now)) {
                state.stopRnrTimer();
                state.needRetry = true;
            } else if (!qp.has(Quirk.SENDS_DURING_RNR_WAIT)) {
                return false;
            }
        }
        if (state.needRetry && !state.isRnrWaiting()) {
            state.needRetry = false;
            rewind();
        }
        if (state.wqeIndex == ring.producer()) {
            return false;
        }
        wqe.wrap(qp.sendQueue.slots(), qp.sendQueue.offset(state.wqeIndex));
        return switch (wqe.state()) {
            case POSTED -> mayBegin && begin();
            case PROCESSING, PENDING -> sendNext();
            case DONE -> {
                state.wqeIndex = ring.next(state.wqeIndex);
                yield true;
            }
            case ERROR -> false;
        };
    }

    /** Begins a request unless it must wait for earlier requests, a free max_rd_atomic slot or room in the send window. */
    private boolean begin() {
        SendOpcode operation = wqe.opcode();
        if (wqe.has(SendFlag.FENCE) && state.readsUnderWay > 0) {
            return false;
        }
        if (operation == SendOpcode.LOCAL_INV && state.wqeIndex != ring.consumer()) {
            return false;
        }
        if (operation.isLocal()) {
            return execute();
        }
        if (RequestOpcodes.isAnswered(operation) && !wqe.holdsCredit()) {
            if (qp.readDepth == 0) {
                return fail(WorkCompletionStatus.LOC_QP_OP_ERR);
            }
            if (state.readsUnderWay >= qp.readDepth || isWindowFull()) {
                return false;
            }
            state.readsUnderWay++;
            wqe.holdsCredit(true);
        }
        return sendNext();
    }

    private boolean execute() {
        WorkCompletionStatus status = memory.execute(wqe);
        if (status != WorkCompletionStatus.SUCCESS) {
            return fail(status);
        }
        wqe.state(WqeState.DONE);
        state.wqeIndex = ring.next(state.wqeIndex);
        return true;
    }

    private boolean isWindowFull() {
        return Psn.isAfter(state.psn, Psn.add(state.ackedPsn, state.window.packets()));
    }

    private boolean sendNext() {
        if (isWindowFull()) {
            return false;
        }
        SendOpcode operation = wqe.opcode();
        int remaining = wqe.scatter().remaining();
        boolean first = !state.inMessage;
        boolean last = operation == SendOpcode.RDMA_READ || Integer.compareUnsigned(remaining, qp.pathMtu) <= 0;
        Opcode opcode = RequestOpcodes.of(operation, first, last);
        if (opcode == null) {
            return fail(WorkCompletionStatus.LOC_QP_OP_ERR);
        }
        int psn = state.psn;
        int packets = first ? writer.packets(Integer.toUnsignedLong(remaining)) : 1;
        if (first) {
            wqe.psns(psn, Psn.add(psn, packets - 1L));
        }
        // The requester sets AckReq after half a send window of packets, as rxe does after RXE_MAX_PKT_PER_ACK packets.
        int unasked = state.window.packets() / 2 - state.packetsWithoutAckRequest;
        int most = opcode == Opcode.RC_RDMA_WRITE_MIDDLE ? segmentBatchLength(remaining, unasked + 2) : 1;
        boolean askAck = last || most - 1 > unasked;
        SimPacket packet = writer.write(wqe, opcode, psn, askAck, most);
        if (packet == null) {
            return fail(WorkCompletionStatus.LOC_PROT_ERR);
        }
        state.packetsWithoutAckRequest = askAck ? 0 : state.packetsWithoutAckRequest + packet.count();
        sent(last, operation == SendOpcode.RDMA_READ ? packets : packet.count());
        out.send(packet);
        return true;
    }

    /**
     * Returns the number of MIDDLE packets that the send window and the next AckReq allow in one {@code SimPacket} (segment
     * batch). A retransmitted packet is sent alone (invariant "<b>Only new packets in a batch</b>").
     */
    private int segmentBatchLength(int remaining, int untilAckRequest) {
        if (!out.carriesSegmentBatches() || Psn.isBefore(state.psn, state.sentPsn)) {
            return 1;
        }
        int middles = Integer.divideUnsigned(remaining - 1, qp.pathMtu);
        int inWindow = Psn.distance(state.psn, Psn.add(state.ackedPsn, state.window.packets())) + 1;
        return Math.max(1, Math.min(Math.min(MAX_SEGMENT_BATCH, middles), Math.min(inWindow, untilAckRequest)));
    }

    private void sent(boolean last, int psns) {
        if (state.ackedPsn == state.sentPsn) {
            // Reload the retry counters, because a modify call in SQD may have changed retry_cnt or rnr_retry.
            state.refillBudgets(qp);
        }
        wqe.state(last ? WqeState.PENDING : WqeState.PROCESSING);
        if (Psn.isBefore(state.psn, state.sentPsn)) {
            out.count(Counter.RETRANSMITTED_PKTS);
        }
        state.psn = Psn.add(state.psn, psns);
        if (Psn.isAfter(state.psn, state.sentPsn)) {
            state.sentPsn = state.psn;
        }
        state.inMessage = !last;
        if (last) {
            state.wqeIndex = ring.next(state.wqeIndex);
        }
        if (!state.isRetransmitTimed()) {
            state.restartRetransmitTimer(qp);
        }
    }

    void failure(SendWqe failed) {
        if (failed.opcode().isLocal()) {
            qp.record.failed(FailureCause.LOCAL_OPERATION);
        } else if (RequestOpcodes.isAnswered(failed.opcode()) && qp.readDepth == 0) {
            qp.record.failed(FailureCause.NO_READ_DEPTH, state.psn, 0, 0);
        } else if (RequestOpcodes.of(failed.opcode(), true, true) == null) {
            qp.record.failed(FailureCause.NO_SUCH_OPERATION, state.psn, 0, 0);
        } else {
            qp.record.refused(FailureCause.LOCAL_KEY, state.psn, memory.refusal, true);
        }
    }

    /** Marks the request as failed. The completer completes the earlier requests before the failed request. */
    private boolean fail(WorkCompletionStatus status) {
        wqe.status(qp.has(Quirk.FAILING_SEND_IS_FLUSHED) ? WorkCompletionStatus.WR_FLUSH_ERR : status);
        wqe.state(WqeState.ERROR);
        out.count(Counter.SEND_ERR);
        return true;
    }

    /** Goes back to the oldest unacknowledged packet, like {@code req_retry} of rxe. */
    void rewind() {
        int index = ring.consumer();
        int end = ring.producer();
        state.wqeIndex = index;
        state.psn = state.ackedPsn;
        state.inMessage = false;
        state.packetsWithoutAckRequest = 0;
        boolean oldest = true;
        while (index != end) {
            wqe.wrap(qp.sendQueue.slots(), qp.sendQueue.offset(index));
            switch (wqe.state()) {
                case POSTED, ERROR -> {
                    return;
                }
                case PROCESSING, PENDING -> {
                    rewindRequest(oldest);
                    oldest = false;
                }
                case DONE -> {
                    // A local work request (BIND_MW, REG_MR, LOCAL_INV) sends no packets.
                }
            }
            index = ring.next(index);
        }
    }

    /**
     * Prepares a request for retransmission. A retransmitted READ continues after the last response that arrived. Any other
     * retransmitted request continues after its last acknowledged packet.
     */
    private void rewindRequest(boolean oldest) {
        boolean read = wqe.opcode() == SendOpcode.RDMA_READ;
        if (read && oldest) {
            return;
        }
        wqe.scatter().rewind();
        if (oldest) {
            int packets = Psn.distance(wqe.firstPsn(), state.ackedPsn);
            if (packets > 0) {
                memory.skip(wqe, packets * qp.pathMtu);
                state.inMessage = true;
            }
        }
    }
}
