package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Reth;

/**
 * Carries out request packets and answers them: rxe_responder. One step handles one packet.
 *
 * <p>Requests are carried out in the order of their PSNs, each once. One NAK tells of a gap; a duplicate is acknowledged again
 * when it asks for it. An error that the peer made is answered with a NAK and ends this queue pair, so that nothing the peer
 * sent behind it is carried out.
 */
final class Responder implements ReceiveHalf {
    private static final long MAX_MESSAGE = 1L << 31;
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

    private int psn;
    private int msn;
    private Inside inside = Inside.NOTHING;
    private boolean gapReported;
    private long writeAddress;
    private int writeKey;
    private long writeRemaining;
    private long messageLength;

    Responder(QpContext qp, QpMemory memory, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.receives = receives;
        this.out = out;
    }

    @Override
    public void start(int firstPsn) {
        psn = firstPsn;
        msn = 0;
        inside = Inside.NOTHING;
        gapReported = false;
        receives.forget();
    }

    @Override
    public int psn() {
        return psn;
    }

    @Override
    public boolean step() {
        return switch (qp.state()) {
            case RESET, INIT -> {
                qp.requests.drain();
                yield false;
            }
            case ERR -> {
                qp.requests.drain();
                flush();
                yield false;
            }
            case RTR, RTS, SQD, SQE -> stepReady();
        };
    }

    private boolean stepReady() {
        SimPacket packet = qp.requests.poll();
        if (packet == null) {
            return false;
        }
        onRequest(packet);
        packet.release();
        return true;
    }

    private void onRequest(SimPacket packet) {
        Bth bth = packet.bth();
        int order = Psn.compare(bth.psn(), psn);
        if (order > 0) {
            out.count(Counter.OUT_OF_SEQ_REQUEST);
            if (!gapReported) {
                gapReported = true;
                answer(Aeth.NAK_PSN_SEQUENCE, psn);
            }
            return;
        }
        if (order < 0) {
            out.count(Counter.DUPLICATE_REQUEST);
            // Another kind of request was never carried out, and so is never acknowledged.
            if (bth.ackRequest() && isServed(packet.opcode())) {
                answer(Aeth.SYNDROME_ACK_UNLIMITED, Psn.previous(psn));
            }
            return;
        }
        gapReported = false;
        if (accept(packet)) {
            execute(packet);
        }
    }

    /** The checks before anything is touched, in rxe's order. */
    private boolean accept(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (!continuesMessage(opcode)) {
            return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
        }
        if (!isServed(opcode)) {
            return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
        }
        if (opcode.isWrite() && (qp.accessMask & REMOTE_WRITE) == 0) {
            return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
        }
        if (opcode.needsReceive() && !takeReceive(packet)) {
            return false;
        }
        if (!hasRightLength(opcode, packet.payloadLength())) {
            return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
        }
        return !opcode.isWrite() || acceptWrite(packet);
    }

    private static boolean isServed(Opcode opcode) {
        return (opcode.isSend() && !opcode.hasIeth()) || opcode.isWrite();
    }

    private boolean continuesMessage(Opcode opcode) {
        return switch (inside) {
            case NOTHING -> opcode.isStart();
            case SEND -> opcode.isSend() && !opcode.isStart();
            case WRITE -> opcode.isWrite() && !opcode.isStart();
        };
    }

    private boolean takeReceive(SimPacket packet) {
        if (receives.take()) {
            return true;
        }
        out.count(Counter.SEND_RNR_ERR);
        // What follows this packet is known to be out of order; a NAK would tell nothing new.
        gapReported = true;
        answer(Aeth.RNR | qp.minRnrTimerCode, packet.bth().psn());
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
            Reth reth = packet.reth();
            writeAddress = reth.virtualAddress();
            writeKey = reth.remoteKey();
            writeRemaining = Integer.toUnsignedLong(reth.dmaLength());
            messageLength = writeRemaining;
            if (writeRemaining > MAX_MESSAGE) {
                return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
            }
            if (writeRemaining > 0 && !memory.isGranted(writeKey, REMOTE_WRITE, writeAddress, writeRemaining)) {
                out.raise(AsyncEventType.QP_ACCESS_ERROR);
                return refuse(packet, Aeth.NAK_REMOTE_ACCESS, WorkCompletionStatus.LOCAL_ACCESS_ERROR);
            }
        }
        boolean lengthFits =
                opcode.isEnd() ? packet.payloadLength() == writeRemaining : packet.payloadLength() < writeRemaining;
        return lengthFits
                || refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
    }

    private void execute(SimPacket packet) {
        Opcode opcode = packet.opcode();
        boolean done = opcode.isSend() ? executeSend(packet) : executeWrite(packet);
        if (!done) {
            return;
        }
        psn = Psn.next(psn);
        if (opcode.isEnd()) {
            msn = Psn.next(msn);
            inside = Inside.NOTHING;
        } else {
            inside = opcode.isSend() ? Inside.SEND : Inside.WRITE;
        }
        if (opcode.completesReceive() && !completeReceive(packet)) {
            // The completion is lost, and so must be the acknowledgement.
            qp.fail();
            out.failed();
            return;
        }
        if (packet.bth().ackRequest()) {
            answer(Aeth.SYNDROME_ACK_UNLIMITED, packet.bth().psn());
        }
    }

    private boolean executeSend(SimPacket packet) {
        int payload = packet.payloadLength();
        messageLength = packet.opcode().isStart() ? payload : messageLength + payload;
        if (payload > receives.buffer().remaining()) {
            return refuse(packet, Aeth.NAK_INVALID_REQUEST, WorkCompletionStatus.LOCAL_LENGTH_ERROR);
        }
        if (!memory.scatter(receives.buffer(), packet.segment(), packet.payloadOffset(), payload)) {
            return refuse(packet, Aeth.NAK_REMOTE_OPERATIONAL, WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
        }
        return true;
    }

    private boolean executeWrite(SimPacket packet) {
        int payload = packet.payloadLength();
        if (payload == 0) {
            return true;
        }
        // The region may have gone since the first packet.
        if (!memory.place(writeKey, writeAddress, packet.segment(), packet.payloadOffset(), payload)) {
            out.raise(AsyncEventType.QP_ACCESS_ERROR);
            return refuse(packet, Aeth.NAK_REMOTE_ACCESS, WorkCompletionStatus.LOCAL_ACCESS_ERROR);
        }
        writeAddress += payload;
        writeRemaining -= payload;
        return true;
    }

    private boolean completeReceive(SimPacket packet) {
        Opcode opcode = packet.opcode();
        boolean immediate = opcode.hasImmediate();
        return out.completeReceive(
                receives.finish(),
                WorkCompletionStatus.SUCCESS,
                opcode.isSend() ? WorkCompletionOpcode.RECEIVE : WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE,
                messageLength,
                0,
                immediate ? CompletionFlag.WITH_IMMEDIATE.mask() : 0,
                immediate ? packet.immDt().data() : 0,
                packet.bth().solicitedEvent());
    }

    /** Ends the queue pair for an error of the peer: ERR, completion of the receive in use, NAK, in this order. */
    private boolean refuse(SimPacket packet, int syndrome, WorkCompletionStatus status) {
        qp.fail();
        if (receives.isHeld()) {
            out.completeReceive(receives.finish(), status, WorkCompletionOpcode.RECEIVE, 0, 0, 0, 0, false);
        }
        if (syndrome == Aeth.NAK_INVALID_REQUEST) {
            out.raise(AsyncEventType.QP_REQUEST_ERROR);
        }
        answer(syndrome, packet.bth().psn());
        out.failed();
        return false;
    }

    private void answer(int syndrome, int aboutPsn) {
        SimPacket packet = out.newPacket();
        qp.begin(packet, Opcode.RC_ACKNOWLEDGE, aboutPsn);
        packet.aeth().initialize(syndrome, msn);
        packet.payloadLength(0);
        out.send(packet);
    }

    private void flush() {
        while (receives.isOwn() && receives.take()) {
            out.completeReceive(
                    receives.finish(),
                    WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR,
                    WorkCompletionOpcode.RECEIVE,
                    0,
                    0,
                    0,
                    0,
                    false);
        }
    }
}
