package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;

/**
 * Turns send work requests into request packets: rxe_requester. One step sends at most one packet.
 *
 * <p>It keeps at most {@link #MAX_UNACKED_PSNS} PSNs unacknowledged, asks for an acknowledgement with the last packet of each
 * request and after {@link #MAX_PACKETS_PER_ACK} packets without, and goes back to the oldest unacknowledged packet when the
 * completer asks for it (go-back-N). While the peer asked for time (RNR NAK) it sends nothing.
 */
final class Requester {
    /** How far sending may be ahead of what is acknowledged: {@code RXE_MAX_UNACKED_PSNS}. */
    static final int MAX_UNACKED_PSNS = 128;
    /** How many packets may go without asking for an acknowledgement: {@code RXE_MAX_PKT_PER_ACK}. */
    static final int MAX_PACKETS_PER_ACK = 64;

    private final QpContext qp;
    private final SendState state;
    private final QpOutput out;
    private final QpMemory memory;
    private final RequestWriter writer;
    private final Ring ring;
    private final SendWqe wqe = new SendWqe();

    Requester(QpContext qp, SendState state, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.state = state;
        this.out = out;
        this.memory = memory;
        writer = new RequestWriter(qp, memory, out);
        ring = qp.sendQueue.ring();
    }

    /** Does one step; true if there may be more to do. */
    boolean step(long now) {
        return switch (qp.state()) {
            case RTS -> stepReady(now);
            case RESET, INIT, RTR, SQD, SQE, ERR -> false;
        };
    }

    private boolean stepReady(long now) {
        if (state.rnrDeadline != SendState.NEVER) {
            if (now < state.rnrDeadline) {
                return false;
            }
            state.rnrDeadline = SendState.NEVER;
            state.needRetry = true;
        }
        if (state.needRetry) {
            state.needRetry = false;
            rewind();
        }
        if (state.wqeIndex == ring.producer()) {
            return false;
        }
        wqe.wrap(qp.sendQueue.slots(), qp.sendQueue.offset(state.wqeIndex));
        if (wqe.state() == WqeState.ERROR || Psn.isAfter(state.psn, Psn.add(state.ackedPsn, MAX_UNACKED_PSNS))) {
            return false;
        }
        return sendPacket(now);
    }

    private boolean sendPacket(long now) {
        ScatterList list = wqe.scatter();
        int remaining = list.remaining();
        boolean first = !state.inMessage;
        boolean last = remaining <= qp.pathMtu;
        Opcode opcode = RequestOpcodes.of(wqe.opcode(), first, last);
        if (opcode == null) {
            return fail(WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR);
        }
        int psn = state.psn;
        if (first) {
            wqe.psns(psn, Psn.add(psn, writer.packets(remaining) - 1L));
            wqe.iova(wqe.remoteAddress());
        }
        boolean askAck = last || state.packetsWithoutAckRequest > MAX_PACKETS_PER_ACK;
        SimPacket packet = writer.write(wqe, opcode, psn, askAck);
        if (packet == null) {
            return fail(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
        }
        state.packetsWithoutAckRequest = askAck ? 0 : state.packetsWithoutAckRequest + 1;
        sent(now, last);
        out.send(packet);
        return true;
    }

    private void sent(long now, boolean last) {
        wqe.state(last ? WqeState.PENDING : WqeState.PROCESSING);
        if (Psn.isBefore(state.psn, state.sentPsn)) {
            out.count(Counter.RETRANSMITTED_PKTS);
        }
        state.psn = Psn.next(state.psn);
        if (Psn.isAfter(state.psn, state.sentPsn)) {
            state.sentPsn = state.psn;
        }
        state.inMessage = !last;
        if (last) {
            state.wqeIndex = ring.next(state.wqeIndex);
        }
        if (state.retransmitDeadline == SendState.NEVER) {
            state.restartTimer(qp, now);
        }
    }

    /** Leaves the request to the completer, which first completes those before it. */
    private boolean fail(WorkCompletionStatus status) {
        wqe.status(status);
        wqe.state(WqeState.ERROR);
        out.count(Counter.SEND_ERR);
        return true;
    }

    /** Goes back to the oldest packet that is not acknowledged. */
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
            WqeState progress = wqe.state();
            if (progress == WqeState.POSTED || progress == WqeState.ERROR) {
                return;
            }
            wqe.scatter().rewind();
            wqe.iova(wqe.remoteAddress());
            if (oldest) {
                skipAcknowledged();
                oldest = false;
            }
            index = ring.next(index);
        }
    }

    private void skipAcknowledged() {
        int packets = Psn.distance(wqe.firstPsn(), state.ackedPsn);
        if (packets > 0) {
            int bytes = packets * qp.pathMtu;
            memory.skip(wqe, bytes);
            wqe.iova(wqe.iova() + bytes);
            state.inMessage = true;
        }
    }
}
