// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/** The consumer of a send queue: completes the oldest WQE first on every transport, like {@code do_complete} of rxe. */
final class SendQueueHead {
    private final QpContext qp;
    private final QpOutput out;
    private final WorkQueue ring;
    private final SendWqe wqe;

    SendQueueHead(QpContext qp, QpOutput out) {
        this.qp = qp;
        this.out = out;
        wqe = new SendWqe(qp.type);
        ring = qp.sendQueue;
    }

    boolean isEmpty() {
        return ring.isEmpty();
    }

    SendWqe head() {
        return wqe.wrap(ring.slots(), ring.offset(ring.consumer()));
    }

    boolean isQuiet() {
        return ring.isEmpty() || head().state() == WqeState.POSTED;
    }

    /** Completes the oldest request. The slot of the request is free before the completion becomes visible. */
    void complete(WorkCompletionStatus status) {
        head();
        SendOpcode operation = wqe.opcode();
        boolean visible = qp.signalAll || status != WorkCompletionStatus.SUCCESS || wqe.has(SendFlag.SIGNALED);
        boolean counted = operation.isSend() && status != WorkCompletionStatus.WR_FLUSH_ERR;
        if (counted) {
            out.count(Counter.RDMA_SENDS);
        }
        if (!visible) {
            ring.consume();
            return;
        }
        long id = wqe.workRequestId();
        boolean returnsData = operation == SendOpcode.RDMA_READ || operation.isAtomic();
        boolean tellsLength = returnsData || qp.has(Quirk.SEND_COMPLETION_HAS_LENGTH);
        long bytes = tellsLength ? Integer.toUnsignedLong(wqe.scatter().length()) : 0;
        boolean tellsImmediate = operation.hasImmediate() && qp.has(Quirk.SEND_COMPLETION_HAS_IMMEDIATE_FLAG);
        int flags = tellsImmediate ? CompletionFlag.WITH_IMM.mask() : 0;
        WorkCompletionOpcode opcode = operation.completionOpcode();
        ring.consume();
        out.completeSend(id, status, opcode, bytes, flags);
    }

    void flush() {
        while (!ring.isEmpty()) {
            complete(WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }
}
