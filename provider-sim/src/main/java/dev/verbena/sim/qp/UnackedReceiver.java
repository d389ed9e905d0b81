// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;

/**
 * The base class of the UC and UD responders, which send no response packets. A packet that cannot be processed is dropped
 * and counted. One call of {@link #step} handles one packet.
 *
 * <p>If a message is longer than the buffer of its receive request, packets of the message may already be in the buffer. A
 * receive request that is too small for its message completes with LOC_LEN_ERR, so that no later message uses the buffer. A
 * message that is longer than its receive buffer does not change the state of the queue pair. If the lkey of a receive
 * request does not grant access to the buffer, the receive request completes with LOC_PROT_ERR. A wrong lkey is a local
 * error, which moves the queue pair to ERR.
 */
abstract class UnackedReceiver implements Receiver {
    final QpContext qp;
    final QpMemory memory;
    final ReceiveSource receives;
    final QpOutput out;

    UnackedReceiver(QpContext qp, QpMemory memory, ReceiveSource receives, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.receives = receives;
        this.out = out;
    }

    abstract void onRequest(SimPacket packet);

    @Override
    public final boolean takesAtOnce() {
        return true;
    }

    @Override
    public final boolean step() {
        return switch (qp.state()) {
            case RESET, INIT -> {
                qp.requests.discard(out);
                yield false;
            }
            case ERR -> {
                qp.requests.discard(out);
                receives.flush(out);
                yield false;
            }
            case RTR, RTS, SQD, SQE -> stepReady();
        };
    }

    @Override
    public final void endPass() {
        memory.endRun();
    }

    private boolean stepReady() {
        SimPacket packet = qp.requests.poll();
        if (packet == null) {
            return false;
        }
        memory.beginRun();
        memory.serve(packet);
        onRequest(packet);
        memory.served();
        packet.release();
        return true;
    }

    final void complete(SimPacket packet, long length, int sourceQpn, int flags) {
        Opcode opcode = packet.opcode();
        boolean immediate = opcode.has(Extension.IMM_DT);
        boolean room = out.completeReceive(
                receives.finish(),
                WorkCompletionStatus.SUCCESS,
                opcode.isSend() ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.RECV_RDMA_WITH_IMM,
                length,
                sourceQpn,
                flags | (immediate ? CompletionFlag.WITH_IMM.mask() : 0),
                immediate ? packet.immediate() : 0,
                packet.solicitedEvent());
        if (!room) {
            qp.record.failed(FailureCause.CQ_OVERRUN);
            fail();
        }
    }

    /** Gets a receive WQE for a message. Returns false if no receive WQE is posted. */
    final boolean takeReceive() {
        boolean taken = receives.take();
        if (taken) {
            qp.record.receiving().tookReceive();
        } else {
            qp.record.receiving().noReceive();
        }
        return taken;
    }

    final void noteLength(SimPacket packet, long length) {
        long room = Integer.toUnsignedLong(receives.buffer().length());
        qp.record.refused(FailureCause.RECEIVE_LENGTH, packet.psn(), length, room);
    }

    final void refuseLength(SimPacket packet, long length) {
        noteLength(packet, length);
        out.count(Counter.DROPPED_REFUSED);
        completeError(WorkCompletionStatus.LOC_LEN_ERR);
    }

    /**
     * Moves the queue pair to ERR and completes the receive WQE with an error, because its lkey grants no access to the
     * receive buffer.
     */
    final void refuseMemory(SimPacket packet) {
        qp.record.refused(FailureCause.RECEIVE_KEY, packet.psn(), memory.refusal, true);
        out.count(Counter.DROPPED_REFUSED);
        qp.fail();
        completeError(
                qp.has(Quirk.BAD_RECEIVE_IS_OPERATION_ERROR)
                        ? WorkCompletionStatus.LOC_QP_OP_ERR
                        : WorkCompletionStatus.LOC_PROT_ERR);
        out.failed();
    }

    private void completeError(WorkCompletionStatus status) {
        if (!out.completeReceive(receives.finish(), status, WorkCompletionOpcode.RECV, 0, 0, 0, 0, false)) {
            fail();
        }
    }

    private void fail() {
        if (qp.fail()) {
            out.failed();
        }
    }
}
