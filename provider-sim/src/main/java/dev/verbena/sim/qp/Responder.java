// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * Executes the peer's requests and sends the responses, like {@code rxe_receiver} (in older kernels {@code rxe_responder}).
 * A {@link #step} handles one packet or segment batch (one {@code SimPacket}), or sends one packet of a READ response.
 *
 * <p>The responder executes requests in the order of their PSNs, and each request once ({@code check_psn}). The responder
 * reports each PSN gap with one NAK. {@link ReadAtomicRequests} responds to duplicates of READs, atomics, ATOMIC_WRITEs and
 * FLUSHes. If a request is invalid or its access is denied, the responder moves the queue pair to ERR and sends a NAK.
 * After a NAK for an error, the responder processes no later packet of the peer.
 */
final class Responder implements Receiver {
    static final long MAX_MESSAGE = 1L << 31;
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();

    private final QpContext qp;
    private final QpOutput out;
    private final QpMemory memory;
    private final ReceiveSource receives;
    private final ResponseWriter writer;
    private final ReadAtomicRequests answered;
    private final Establishment establishment;
    private final ReceiveState state = new ReceiveState();
    private final @Nullable LoopbackResponder loopbackResponder;

    private int owedPsn;
    private int owedMsn;
    private long writeAddress;
    private int writeKey;
    private long writeRemaining;
    private long messageLength;

    Responder(QpContext qp, QpMemory memory, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.receives = receives;
        this.out = out;
        writer = new ResponseWriter(qp, memory, out);
        establishment = new Establishment(qp, out);
        answered = new ReadAtomicRequests(qp, memory, writer, state);
        loopbackResponder = memory.showsAtOnce() ? new LoopbackResponder(qp, state, receives, out) : null;
    }

    /** Returns the responder of the loopback path; null if {@link DelayedWrites} delays the writes of received bytes. */
    @Nullable LoopbackResponder loopbackResponder() {
        return loopbackResponder;
    }

    @Override
    public void start(int firstPsn) {
        state.start(firstPsn);
        state.ackPsn = qp.has(Quirk.DUPLICATE_ACK_UNINITIALIZED) ? 0 : firstPsn;
        state.msn = 0;
        state.openMessage = ReceiveState.OpenMessage.NONE;
        state.gapReported = false;
        state.owesAck = false;
        establishment.forget();
        receives.forget();
        answered.forget();
    }

    @Override
    public int psn() {
        return state.psn();
    }

    @Override
    public boolean takesAtOnce() {
        return !state.readAnswered;
    }

    @Override
    public boolean step() {
        return switch (qp.state()) {
            case RESET, INIT -> {
                qp.requests.discard(out);
                yield false;
            }
            case ERR -> {
                qp.requests.discard(out);
                answered.forget();
                receives.flush(out);
                yield false;
            }
            case RTR, RTS, SQD, SQE -> stepReady();
        };
    }

    @Override
    public void endPass() {
        memory.endRun();
    }

    private boolean stepReady() {
        if (state.readAnswered) {
            if (!answered.stepRead(state.msn)) {
                qp.record.refused(FailureCause.REMOTE_KEY, answered.readPsn(), memory.refusal, true);
                out.raise(AsyncEventType.QP_ACCESS_ERR);
                refuse(answered.readPsn(), Aeth.NAK_REMOTE_ACCESS, WorkCompletionStatus.REM_ACCESS_ERR);
            }
            return true;
        }
        SimPacket packet = qp.requests.poll();
        if (state.owesAck && !isNext(packet)) {
            payAck();
        }
        if (packet == null) {
            return false;
        }
        establishment.onRequest();
        if (packet.count() > 1) {
            onSegmentBatch(packet);
            return true;
        }
        memory.beginRun();
        memory.serve(packet);
        onRequest(packet);
        memory.served();
        packet.release();
        return true;
    }

    /**
     * Returns whether one ACK can acknowledge this request and the earlier requests together. Before the responder handles
     * a packet that needs a separate response, it sends the pending ACK (invariant "<b>Acknowledge before answering</b>").
     */
    private boolean isNext(@Nullable SimPacket packet) {
        return packet != null
                && packet.psn() == state.psn()
                && (packet.opcode().isSend() || packet.opcode().isWrite());
    }

    /** <b>Executed before acknowledged.</b> Records that the responder must acknowledge the PSN {@code forPsn}. */
    private void oweAck(int forPsn) {
        state.owesAck = true;
        owedPsn = forPsn;
        owedMsn = state.msn;
    }

    /**
     * Sends one ACK for the last executed request with AckReq and all unacknowledged requests before it. When an execution
     * of the receive task ends with an empty queue, no ACK is pending (invariant "<b>Acknowledge before the run ends</b>").
     */
    private void payAck() {
        state.owesAck = false;
        writer.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, owedPsn, owedMsn);
    }

    private void onRequest(SimPacket packet) {
        int order = Psn.compare(packet.psn(), state.psn());
        if (order > 0) {
            out.count(Counter.OUT_OF_SEQ_REQUEST);
            if (!state.gapReported) {
                state.gapReported = true;
                writer.acknowledge(Aeth.NAK_PSN_SEQUENCE, state.psn(), state.msn);
            }
        } else if (order < 0) {
            out.count(Counter.DUPLICATE_REQUEST);
            onDuplicate(packet);
        } else {
            state.gapReported = false;
            qp.record.receiving().accepted(packet.psn());
            if (accept(packet)) {
                execute(packet);
            }
        }
    }

    /**
     * <b>Whole or single.</b> Processes all packets of a segment batch (one {@code SimPacket}) in one step. If the
     * responder cannot process the whole batch, it splits the batch into packets. Later calls of {@link #step} handle the
     * packets of a split batch.
     */
    private void onSegmentBatch(SimPacket batch) {
        int count = batch.count();
        long bytes = (long) count * batch.payloadLength();
        boolean next = batch.psn() == state.psn()
                && state.openMessage == ReceiveState.OpenMessage.WRITE
                && batch.opcode() == Opcode.RC_RDMA_WRITE_MIDDLE
                && (qp.accessMask & REMOTE_WRITE) != 0
                && batch.payloadLength() == qp.pathMtu
                && bytes < writeRemaining;
        if (!next || !memory.placeSegmentBatch(writeKey, writeAddress, batch)) {
            qp.requests.takeApart(batch);
            return;
        }
        state.gapReported = false;
        writeAddress += bytes;
        writeRemaining -= bytes;
        state.advance(count);
        state.ackPsn = state.psn();
        qp.record.receiving().accepted(Psn.previous(state.psn()));
        if (batch.ackRequest()) {
            oweAck(Psn.previous(state.psn()));
            if (qp.requests.isEmpty()) {
                payAck();
            }
        }
        batch.release();
    }

    private void onDuplicate(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (ReadAtomicRequests.isOne(opcode)) {
            answered.repeat(packet, state.msn);
        } else if (packet.ackRequest() || qp.has(Quirk.ACKS_EVERY_DUPLICATE)) {
            writer.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, Psn.previous(state.ackPsn), state.msn);
        }
    }

    /** Makes all checks of rxe's responder, in rxe's order, before a request changes anything. */
    private boolean accept(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (!continuesMessage(opcode)) {
            return refuseInvalid(packet, FailureCause.MESSAGE_ORDER, opcode.code());
        }
        int needed = accessNeeded(packet);
        if ((qp.accessMask & needed) != needed) {
            return refuseInvalid(packet, FailureCause.QP_ACCESS, needed);
        }
        if (ReadAtomicRequests.isOne(opcode)) {
            return switch (answered.check(packet)) {
                case FINE -> true;
                case INVALID -> refuseAnswered(packet);
                case NOT_GRANTED -> refuseAccess(packet);
            };
        }
        if (opcode.needsReceive() && !takeReceive(packet)) {
            return false;
        }
        if (!hasRightLength(opcode, packet.payloadLength())) {
            return refuseInvalid(packet, FailureCause.PACKET_LENGTH, packet.payloadLength());
        }
        return !opcode.isWrite() || acceptWrite(packet);
    }

    private boolean continuesMessage(Opcode opcode) {
        return switch (state.openMessage) {
            case NONE -> opcode.isStart();
            case SEND -> opcode.isSend() && !opcode.isStart();
            case WRITE -> opcode.isWrite() && !opcode.isStart();
        };
    }

    /** Returns the access flags that the queue pair itself must have for a request, regardless of the request's key. */
    private static int accessNeeded(SimPacket packet) {
        return packet.opcode().isWrite() ? REMOTE_WRITE : ReadAtomicRequests.accessNeeded(packet);
    }

    /** Refuses a READ, atomic, ATOMIC_WRITE or FLUSH that is invalid regardless of its rkey. */
    private boolean refuseAnswered(SimPacket packet) {
        if (qp.responderDepth == 0) {
            return refuseInvalid(packet, FailureCause.NO_RESPONDER_DEPTH, 0);
        }
        Opcode opcode = packet.opcode();
        if (opcode.isAtomic()) {
            return refuseInvalid(packet, FailureCause.MISALIGNED, packet.remoteAddress());
        }
        return opcode.isAtomicWrite()
                ? refuseInvalid(packet, FailureCause.MISALIGNED, packet.remoteAddress())
                : refuseInvalid(packet, FailureCause.MESSAGE_LENGTH, lengthOf(packet));
    }

    private static long lengthOf(SimPacket packet) {
        return Integer.toUnsignedLong(packet.dmaLength());
    }

    private boolean takeReceive(SimPacket packet) {
        if (receives.take()) {
            qp.record.receiving().tookReceive();
            return true;
        }
        out.count(Counter.SEND_RNR_ERR);
        qp.record.receiving().noReceive();
        // After the responder sends an RNR NAK for a packet, the peer's next packets are out of sequence. After an RNR
        // NAK the responder sends no NAK for out-of-sequence packets, because the RNR NAK already makes the peer
        // retransmit.
        state.gapReported = !qp.has(Quirk.SENDS_DURING_RNR_WAIT);
        // The RNR NAK also acknowledges all requests before its PSN, so the responder drops the pending ACK (invariant
        // "Acknowledge before answering" in docs/fast-paths.md).
        state.owesAck = false;
        writer.acknowledge(Aeth.RNR | qp.minRnrTimerCode, packet.psn(), state.msn);
        return false;
    }

    private boolean hasRightLength(Opcode opcode, int payload) {
        if (opcode.isFirst() || opcode.isMiddle()) {
            return payload == qp.pathMtu;
        }
        return payload <= qp.pathMtu && (opcode.isOnly() || payload > 0);
    }

    private boolean acceptWrite(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (opcode.isStart()) {
            writeAddress = packet.remoteAddress();
            writeKey = packet.remoteKey();
            writeRemaining = lengthOf(packet);
            messageLength = writeRemaining;
            if (writeRemaining > MAX_MESSAGE) {
                return refuseInvalid(packet, FailureCause.MESSAGE_LENGTH, writeRemaining);
            }
            // A message of one packet needs no access check here, because `executeWrite` checks the access of each
            // packet.
            boolean whole = opcode.isOnly() && packet.payloadLength() == writeRemaining;
            if (writeRemaining > 0
                    && !whole
                    && !memory.isGranted(writeKey, REMOTE_WRITE, writeAddress, writeRemaining)) {
                return refuseAccess(packet);
            }
        }
        boolean lengthFits =
                opcode.isEnd() ? packet.payloadLength() == writeRemaining : packet.payloadLength() < writeRemaining;
        return lengthFits || refuseInvalid(packet, FailureCause.MESSAGE_LENGTH, messageLength);
    }

    private void execute(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (ReadAtomicRequests.isOne(opcode)) {
            state.msn = Psn.next(state.msn);
            if (answered.execute(packet, state.msn)) {
                state.advance(answered.packetsOf(packet));
                if (!opcode.isReadRequest() && qp.has(Quirk.DUPLICATE_ACK_COUNTS_ATOMICS)) {
                    state.ackPsn = state.psn();
                }
            } else {
                state.msn = Psn.previous(state.msn);
                refuseAccess(packet);
            }
            return;
        }
        boolean done = opcode.isSend() ? executeSend(packet) : executeWrite(packet);
        if (!done) {
            return;
        }
        state.advance(1);
        state.ackPsn = state.psn();
        if (opcode.isEnd()) {
            state.msn = Psn.next(state.msn);
            state.openMessage = ReceiveState.OpenMessage.NONE;
        } else {
            state.openMessage = opcode.isSend() ? ReceiveState.OpenMessage.SEND : ReceiveState.OpenMessage.WRITE;
        }
        if (opcode.completesReceive() && !completeReceive(packet)) {
            // The completion is lost, because the CQ is full. Only earlier requests are acknowledged.
            if (state.owesAck) {
                payAck();
            }
            qp.record.failed(FailureCause.CQ_OVERRUN);
            qp.fail();
            out.failed();
            return;
        }
        if (packet.ackRequest()) {
            oweAck(packet.psn());
            if (qp.requests.isEmpty()) {
                payAck();
            }
        }
    }

    private boolean executeSend(SimPacket packet) {
        int payload = packet.payloadLength();
        messageLength = packet.opcode().isStart() ? payload : messageLength + payload;
        boolean odd = qp.has(Quirk.BAD_RECEIVE_IS_OPERATION_ERROR);
        if (Integer.compareUnsigned(payload, receives.buffer().remaining()) > 0) {
            long room = Integer.toUnsignedLong(receives.buffer().length());
            qp.record.failed(FailureCause.RECEIVE_LENGTH, packet.psn(), messageLength, room);
            return odd
                    ? refuse(packet, Aeth.NAK_REMOTE_OPERATIONAL, WorkCompletionStatus.LOC_QP_OP_ERR)
                    : refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.LOC_LEN_ERR);
        }
        if (!memory.scatter(receives.buffer(), packet)) {
            qp.record.refused(FailureCause.RECEIVE_KEY, packet.psn(), memory.refusal, true);
            return refuse(
                    packet,
                    Aeth.NAK_REMOTE_OPERATIONAL,
                    odd ? WorkCompletionStatus.LOC_QP_OP_ERR : WorkCompletionStatus.LOC_PROT_ERR);
        }
        return !packet.opcode().has(Extension.IETH) || invalidate(packet);
    }

    private boolean invalidate(SimPacket packet) {
        if (memory.invalidate(packet.immediate())) {
            return true;
        }
        int key = packet.immediate();
        qp.record.failed(FailureCause.INVALIDATE, packet.psn(), Integer.toUnsignedLong(key), 0);
        if (qp.has(Quirk.FAILED_INVALIDATE_ACKNOWLEDGED)) {
            return refuse(packet, Aeth.SYNDROME_ACK_UNLIMITED, WorkCompletionStatus.REM_INV_REQ_ERR);
        }
        return refuse(packet, Aeth.NAK_REMOTE_OPERATIONAL, WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    private boolean executeWrite(SimPacket packet) {
        int payload = packet.payloadLength();
        if (payload == 0) {
            return true;
        }
        // Each packet is checked, because the region may have been deregistered since the first packet of the message.
        if (!memory.place(writeKey, writeAddress, packet)) {
            return refuseAccess(packet);
        }
        writeAddress += payload;
        writeRemaining -= payload;
        return true;
    }

    private boolean completeReceive(SimPacket packet) {
        Opcode opcode = packet.opcode();
        int flags = qp.has(Quirk.GRH_FLAG_ON_CONNECTED) ? CompletionFlag.GRH.mask() : 0;
        int data = 0;
        if (opcode.has(Extension.IMM_DT)) {
            flags |= CompletionFlag.WITH_IMM.mask();
            data = packet.immediate();
        } else if (opcode.has(Extension.IETH)) {
            flags |= CompletionFlag.WITH_INV.mask();
            data = packet.immediate();
        }
        return out.completeReceive(
                receives.finish(),
                WorkCompletionStatus.SUCCESS,
                opcode.isSend() ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.RECV_RDMA_WITH_IMM,
                messageLength,
                0,
                flags,
                data,
                packet.solicitedEvent());
    }

    private boolean refuseInvalid(SimPacket packet, FailureCause why, long value) {
        qp.record.failed(why, packet.psn(), value, qp.pathMtu);
        return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REM_INV_REQ_ERR);
    }

    private boolean refuseAccess(SimPacket packet) {
        qp.record.refused(FailureCause.REMOTE_KEY, packet.psn(), memory.refusal, true);
        out.raise(AsyncEventType.QP_ACCESS_ERR);
        return refuse(
                packet,
                Aeth.NAK_REMOTE_ACCESS,
                qp.has(Quirk.REFUSED_WRITE_IS_REMOTE_ACCESS_ERROR)
                        ? WorkCompletionStatus.REM_ACCESS_ERR
                        : WorkCompletionStatus.LOC_ACCESS_ERR);
    }

    private boolean refuse(SimPacket packet, int syndrome, WorkCompletionStatus status) {
        return refuse(packet.psn(), syndrome, status);
    }

    /** Refuses a request: moves the queue pair to ERR, then completes the message's receive WQE, then sends a NAK. */
    private boolean refuse(int aboutPsn, int syndrome, WorkCompletionStatus status) {
        qp.fail();
        if (receives.isHeld()) {
            out.completeReceive(receives.finish(), status, WorkCompletionOpcode.RECV, 0, 0, 0, 0, false);
        }
        if (syndrome == Aeth.NAK_INVALID_REQUEST && !qp.has(Quirk.NO_REQUEST_ERROR_EVENT)) {
            out.raise(AsyncEventType.QP_REQ_ERR);
        }
        state.owesAck = false;
        writer.acknowledge(syndrome, aboutPsn, state.msn);
        out.failed();
        return false;
    }
}
