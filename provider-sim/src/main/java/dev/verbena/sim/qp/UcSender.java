// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;

/**
 * The requester of a UC queue pair. The packets are built as on a reliable connection, but have UC opcodes and no AckReq
 * bit.
 */
final class UcSender extends UnackedSender {
    private final RequestWriter writer;

    UcSender(QpContext qp, SendQueueHead front, QpMemory memory, QpOutput out) {
        super(qp, front, memory, out);
        writer = new RequestWriter(qp, memory, out);
    }

    @Override
    WorkCompletionStatus sendPacket(SendWqe wqe) {
        boolean first = wqe.state() == WqeState.POSTED;
        boolean last = Integer.compareUnsigned(wqe.scatter().remaining(), qp.pathMtu) <= 0;
        Opcode opcode = RequestOpcodes.unacked(wqe.opcode(), first, last);
        if (opcode == null) {
            return WorkCompletionStatus.LOC_QP_OP_ERR;
        }
        SimPacket packet = writer.write(wqe, opcode, psn(), false, 1);
        if (packet == null) {
            return WorkCompletionStatus.LOC_PROT_ERR;
        }
        takePsn();
        wqe.state(last ? WqeState.DONE : WqeState.PROCESSING);
        out.send(packet);
        return WorkCompletionStatus.SUCCESS;
    }
}
