// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * The responder of a UC queue pair. The responder processes the packets of a message while their PSNs are consecutive. At
 * the first packet that is out of sequence or cannot be processed, the responder drops the rest of the message. UC does not
 * retransmit lost packets. A FIRST or ONLY packet with any PSN begins a new message, even if the previous message is
 * unfinished (InfiniBand Architecture Specification volume 1, section 9.8). The receive request of an unfinished SEND is
 * used again for a later message. The later message fills the buffer from the first byte.
 */
final class UcReceiver extends UnackedReceiver {
    private static final long MAX_MESSAGE = 1L << 31;
    private static final int REMOTE_WRITE = AccessFlag.REMOTE_WRITE.mask();

    private enum OpenMessage {
        NONE,
        SEND,
        WRITE
    }

    private final Establishment establishment;
    private int psn;
    private OpenMessage openMessage = OpenMessage.NONE;
    private long writeAddress;
    private int writeKey;
    private long writeRemaining;
    private long messageLength;

    UcReceiver(QpContext qp, QpMemory memory, ReceiveSource receives, QpOutput out) {
        super(qp, memory, receives, out);
        establishment = new Establishment(qp, out);
    }

    @Override
    public void start(int firstPsn) {
        establishment.forget();
        psn = firstPsn;
        openMessage = OpenMessage.NONE;
        receives.forget();
    }

    @Override
    public int psn() {
        return psn;
    }

    @Override
    void onRequest(SimPacket packet) {
        establishment.onRequest();
        Opcode opcode = packet.opcode();
        int packetPsn = packet.psn();
        qp.record.receiving().accepted(packetPsn);
        boolean interrupts = opcode.isStart() && openMessage != OpenMessage.NONE;
        boolean continues = opcode.isStart() || (packetPsn == psn && isContinuation(opcode));
        if (interrupts || !continues) {
            abandon();
        }
        if (!continues || (interrupts && qp.has(Quirk.UC_DROPS_INTERRUPTING_MESSAGE))) {
            out.count(Counter.DROPPED_INCOMPLETE);
            return;
        }
        psn = Psn.next(packetPsn);
        Counter defect = opcode.isWrite() ? checkWrite(packet) : checkSend(packet);
        if (defect != null) {
            out.count(defect);
            abandon();
            return;
        }
        if (opcode.isSend()) {
            executeSend(packet);
        } else {
            executeWrite(packet);
        }
    }

    private boolean isContinuation(Opcode opcode) {
        return switch (openMessage) {
            case NONE -> false;
            case SEND -> opcode.isSend();
            case WRITE -> opcode.isWrite();
        };
    }

    private void abandon() {
        openMessage = OpenMessage.NONE;
        if (receives.isHeld()) {
            receives.startOver();
        }
    }

    private @Nullable Counter checkSend(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if (!takeReceive()) {
            return Counter.DROPPED_NO_RECEIVE;
        }
        return hasRightLength(opcode, packet.payloadLength()) ? null : refusedLength(packet);
    }

    private @Nullable Counter checkWrite(SimPacket packet) {
        Opcode opcode = packet.opcode();
        if ((qp.accessMask & REMOTE_WRITE) == 0) {
            qp.record.refused(FailureCause.QP_ACCESS, packet.psn(), REMOTE_WRITE, 0);
            return Counter.DROPPED_REFUSED;
        }
        if (!hasRightLength(opcode, packet.payloadLength())) {
            return refusedLength(packet);
        }
        if (opcode.isStart() && !begins(packet)) {
            qp.record.refused(FailureCause.REMOTE_KEY, packet.psn(), memory.refusal, false);
            return Counter.DROPPED_REFUSED;
        }
        int payload = packet.payloadLength();
        if (opcode.isEnd() ? payload != writeRemaining : payload >= writeRemaining) {
            return Counter.DROPPED_REFUSED;
        }
        return opcode.needsReceive() && !takeReceive() ? Counter.DROPPED_NO_RECEIVE : null;
    }

    private Counter refusedLength(SimPacket packet) {
        qp.record.refused(FailureCause.PACKET_LENGTH, packet.psn(), packet.payloadLength(), qp.pathMtu);
        return Counter.DROPPED_REFUSED;
    }

    private boolean begins(SimPacket packet) {
        writeAddress = packet.remoteAddress();
        writeKey = packet.remoteKey();
        writeRemaining = Integer.toUnsignedLong(packet.dmaLength());
        messageLength = writeRemaining;
        return writeRemaining <= MAX_MESSAGE
                && (writeRemaining == 0 || memory.isGranted(writeKey, REMOTE_WRITE, writeAddress, writeRemaining));
    }

    private boolean hasRightLength(Opcode opcode, int payload) {
        if (opcode.isFirst() || opcode.isMiddle()) {
            return payload == qp.pathMtu;
        }
        return payload <= qp.pathMtu && (opcode.isOnly() || payload > 0);
    }

    private void executeSend(SimPacket packet) {
        int payload = packet.payloadLength();
        messageLength = packet.opcode().isStart() ? payload : messageLength + payload;
        if (payload > Integer.toUnsignedLong(receives.buffer().remaining())) {
            openMessage = OpenMessage.NONE;
            refuseLength(packet, messageLength);
        } else if (!memory.scatter(receives.buffer(), packet)) {
            openMessage = OpenMessage.NONE;
            refuseMemory(packet);
        } else {
            executed(packet, OpenMessage.SEND);
        }
    }

    private void executeWrite(SimPacket packet) {
        int payload = packet.payloadLength();
        // The region may have been deregistered since the first packet of the message.
        if (payload > 0 && !memory.place(writeKey, writeAddress, packet)) {
            out.count(Counter.DROPPED_REFUSED);
            abandon();
            return;
        }
        writeAddress += payload;
        writeRemaining -= payload;
        executed(packet, OpenMessage.WRITE);
    }

    private void executed(SimPacket packet, OpenMessage message) {
        Opcode opcode = packet.opcode();
        openMessage = opcode.isEnd() ? OpenMessage.NONE : message;
        if (opcode.completesReceive()) {
            complete(packet, messageLength, 0, qp.has(Quirk.GRH_FLAG_ON_CONNECTED) ? CompletionFlag.GRH.mask() : 0);
        }
    }
}
