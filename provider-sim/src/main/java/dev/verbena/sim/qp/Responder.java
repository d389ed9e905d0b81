package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * Carries out request packets and answers them: rxe_responder. One step handles one packet, or sends one of the answer to a
 * READ.
 *
 * <p>Requests are carried out in the order of their PSNs, each once. One NAK tells of a gap; a duplicate is answered again, from
 * what {@link AnsweredRequests} remembers. An error that the peer made is answered with a NAK and ends this queue pair, so that
 * nothing the peer sent behind it is carried out.
 */
final class Responder implements ReceiveHalf {
    static final long MAX_MESSAGE = 1L << 31;
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();

    /** What kind of message the last accepted packet left unfinished. */
    private enum Inside {
        NOTHING,
        SEND,
        WRITE
    }

    private final QpContext qp;
    private final QpOutput out;
    private final QpMemory memory;
    private final ReceiveSource receives;
    private final ResponseWriter writer;
    private final AnsweredRequests answered;
    private final Establishment establishment;

    private int psn;
    /** Behind the last request that a plain ACK answers. */
    private int ackPsn;

    private int msn;
    private Inside inside = Inside.NOTHING;
    private boolean gapReported;
    /** Whether an acknowledgement was asked for that has not been sent, since more requests are there already. */
    private boolean owesAck;

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
        answered = new AnsweredRequests(qp, memory, writer, out);
    }

    @Override
    public void start(int firstPsn) {
        psn = firstPsn;
        ackPsn = qp.has(Quirk.DUPLICATE_ACK_UNINITIALIZED) ? 0 : firstPsn;
        msn = 0;
        inside = Inside.NOTHING;
        gapReported = false;
        owesAck = false;
        establishment.forget();
        receives.forget();
        answered.forget();
    }

    @Override
    public int psn() {
        return psn;
    }

    @Override
    public boolean takesAtOnce() {
        return !answered.isReading();
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
    public void rest() {
        memory.endRun();
    }

    private boolean stepReady() {
        if (answered.isReading()) {
            if (!answered.stepRead(msn)) {
                qp.record.refused(FailureCause.REMOTE_KEY, answered.readPsn(), memory.refusal, true);
                out.raise(AsyncEventType.QP_ACCESS_ERROR);
                refuse(answered.readPsn(), Aeth.NAK_REMOTE_ACCESS, WorkCompletionStatus.REMOTE_ACCESS_ERROR);
            }
            return true;
        }
        SimPacket packet = qp.requests.poll();
        if (owesAck && !isNext(packet)) {
            payAck();
        }
        if (packet == null) {
            return false;
        }
        establishment.onRequest();
        if (packet.count() > 1) {
            onTrain(packet);
            return true;
        }
        memory.beginRun();
        memory.serve(packet);
        onRequest(packet);
        memory.served();
        packet.release();
        return true;
    }

    /** Whether one acknowledgement will do for this request and those before it. */
    private boolean isNext(@Nullable SimPacket packet) {
        return packet != null
                && packet.psn() == psn
                && (packet.opcode().isSend() || packet.opcode().isWrite());
    }

    private void oweAck(int forPsn) {
        owesAck = true;
        owedPsn = forPsn;
        owedMsn = msn;
    }

    /** What is acknowledged is all that came before, too. */
    private void payAck() {
        owesAck = false;
        writer.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, owedPsn, owedMsn);
    }

    private void onRequest(SimPacket packet) {
        int order = Psn.compare(packet.psn(), psn);
        if (order > 0) {
            out.count(Counter.OUT_OF_SEQ_REQUEST);
            if (!gapReported) {
                gapReported = true;
                writer.acknowledge(Aeth.NAK_PSN_SEQUENCE, psn, msn);
            }
        } else if (order < 0) {
            out.count(Counter.DUPLICATE_REQUEST);
            onDuplicate(packet);
        } else {
            gapReported = false;
            qp.record.lastRequestPsn = packet.psn();
            if (accept(packet)) {
                execute(packet);
            }
        }
    }

    /** Does for all packets of a train at once what each would bring about; if that is not possible, they come one by one. */
    private void onTrain(SimPacket train) {
        int count = train.count();
        long bytes = (long) count * train.payloadLength();
        boolean next = train.psn() == psn
                && inside == Inside.WRITE
                && train.opcode() == Opcode.RC_RDMA_WRITE_MIDDLE
                && (qp.accessMask & REMOTE_WRITE) != 0
                && train.payloadLength() == qp.pathMtu
                && bytes < writeRemaining;
        if (!next || !memory.placeTrain(writeKey, writeAddress, train)) {
            qp.requests.takeApart(train);
            return;
        }
        gapReported = false;
        writeAddress += bytes;
        writeRemaining -= bytes;
        psn = Psn.add(psn, count);
        ackPsn = psn;
        qp.record.lastRequestPsn = Psn.previous(psn);
        if (train.ackRequest()) {
            oweAck(Psn.previous(psn));
            if (qp.requests.isEmpty()) {
                payAck();
            }
        }
        train.release();
    }

    private void onDuplicate(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (AnsweredRequests.isOne(opcode)) {
            answered.repeat(packet, msn);
        } else if (packet.ackRequest() || qp.has(Quirk.ACKS_EVERY_DUPLICATE)) {
            writer.acknowledge(Aeth.SYNDROME_ACK_UNLIMITED, Psn.previous(ackPsn), msn);
        }
    }

    /** The checks before anything is touched, in rxe's order. */
    private boolean accept(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (!continuesMessage(opcode)) {
            return refuseInvalid(packet, FailureCause.MESSAGE_ORDER, opcode.code());
        }
        int needed = accessNeeded(packet);
        if ((qp.accessMask & needed) != needed) {
            return refuseInvalid(packet, FailureCause.QP_ACCESS, needed);
        }
        if (AnsweredRequests.isOne(opcode)) {
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
        return switch (inside) {
            case NOTHING -> opcode.isStart();
            case SEND -> opcode.isSend() && !opcode.isStart();
            case WRITE -> opcode.isWrite() && !opcode.isStart();
        };
    }

    /** What the queue pair must allow the peer for what it asks, whatever the key. */
    private static int accessNeeded(SimPacket packet) {
        return packet.opcode().isWrite() ? REMOTE_WRITE : AnsweredRequests.accessNeeded(packet);
    }

    /** A READ, atomic, ATOMIC_WRITE or FLUSH that no key could make legal. */
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
            qp.record.tookReceive = true;
            return true;
        }
        out.count(Counter.SEND_RNR_ERR);
        qp.record.noReceive();
        // What follows this packet is known to be out of order; a NAK would tell nothing new.
        gapReported = !qp.has(Quirk.SENDS_DURING_RNR_WAIT);
        // The RNR NAK acknowledges what came before it.
        owesAck = false;
        writer.acknowledge(Aeth.RNR | qp.minRnrTimerCode, packet.psn(), msn);
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
            // What fits into one packet is granted, or not, when it is written.
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
        if (AnsweredRequests.isOne(opcode)) {
            msn = Psn.next(msn);
            if (answered.execute(packet, msn)) {
                psn = Psn.add(psn, answered.packetsOf(packet));
                if (!opcode.isReadRequest() && qp.has(Quirk.DUPLICATE_ACK_COUNTS_ATOMICS)) {
                    ackPsn = psn;
                }
            } else {
                msn = Psn.previous(msn);
                refuseAccess(packet);
            }
            return;
        }
        boolean done = opcode.isSend() ? executeSend(packet) : executeWrite(packet);
        if (!done) {
            return;
        }
        psn = Psn.next(psn);
        ackPsn = psn;
        if (opcode.isEnd()) {
            msn = Psn.next(msn);
            inside = Inside.NOTHING;
        } else {
            inside = opcode.isSend() ? Inside.SEND : Inside.WRITE;
        }
        if (opcode.completesReceive() && !completeReceive(packet)) {
            // The completion is lost, and so must be the acknowledgement; but not that of what came before.
            if (owesAck) {
                payAck();
            }
            qp.record.overran();
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
                    ? refuse(packet, Aeth.NAK_REMOTE_OPERATIONAL, WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR)
                    : refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.LOCAL_LENGTH_ERROR);
        }
        if (!memory.scatter(receives.buffer(), packet)) {
            qp.record.refused(FailureCause.RECEIVE_KEY, packet.psn(), memory.refusal, true);
            return refuse(
                    packet,
                    Aeth.NAK_REMOTE_OPERATIONAL,
                    odd ? WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR : WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
        }
        return !packet.opcode().hasIeth() || invalidate(packet);
    }

    private boolean invalidate(SimPacket packet) {
        if (memory.invalidate(packet.immediate())) {
            return true;
        }
        int key = packet.immediate();
        qp.record.failed(FailureCause.INVALIDATE, packet.psn(), Integer.toUnsignedLong(key), 0);
        if (qp.has(Quirk.FAILED_INVALIDATE_ACKNOWLEDGED)) {
            return refuse(packet, Aeth.SYNDROME_ACK_UNLIMITED, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
        }
        return refuse(packet, Aeth.NAK_REMOTE_OPERATIONAL, WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR);
    }

    private boolean executeWrite(SimPacket packet) {
        int payload = packet.payloadLength();
        if (payload == 0) {
            return true;
        }
        // The region may have gone since the first packet.
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
        if (opcode.hasImmediate()) {
            flags |= CompletionFlag.WITH_IMMEDIATE.mask();
            data = packet.immediate();
        } else if (opcode.hasIeth()) {
            flags |= CompletionFlag.WITH_INVALIDATE.mask();
            data = packet.immediate();
        }
        return out.completeReceive(
                receives.finish(),
                WorkCompletionStatus.SUCCESS,
                opcode.isSend() ? WorkCompletionOpcode.RECEIVE : WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE,
                messageLength,
                0,
                flags,
                data,
                packet.solicitedEvent());
    }

    private boolean refuseInvalid(SimPacket packet, FailureCause why, long value) {
        qp.record.failed(why, packet.psn(), value, qp.pathMtu);
        return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
    }

    private boolean refuseAccess(SimPacket packet) {
        qp.record.refused(FailureCause.REMOTE_KEY, packet.psn(), memory.refusal, true);
        out.raise(AsyncEventType.QP_ACCESS_ERROR);
        return refuse(
                packet,
                Aeth.NAK_REMOTE_ACCESS,
                qp.has(Quirk.REFUSED_WRITE_IS_REMOTE_ACCESS_ERROR)
                        ? WorkCompletionStatus.REMOTE_ACCESS_ERROR
                        : WorkCompletionStatus.LOCAL_ACCESS_ERROR);
    }

    private boolean refuse(SimPacket packet, int syndrome, WorkCompletionStatus status) {
        return refuse(packet.psn(), syndrome, status);
    }

    /** Ends the queue pair for an error of the peer: ERR, completion of the receive in use, NAK, in this order. */
    private boolean refuse(int aboutPsn, int syndrome, WorkCompletionStatus status) {
        qp.fail();
        if (receives.isHeld()) {
            out.completeReceive(receives.finish(), status, WorkCompletionOpcode.RECEIVE, 0, 0, 0, 0, false);
        }
        if (syndrome == Aeth.NAK_INVALID_REQUEST && !qp.has(Quirk.NO_REQUEST_ERROR_EVENT)) {
            out.raise(AsyncEventType.QP_REQUEST_ERROR);
        }
        owesAck = false;
        writer.acknowledge(syndrome, aboutPsn, msn);
        out.failed();
        return false;
    }
}
