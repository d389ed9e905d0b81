// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.explain.FailureCause;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Psn;
import java.util.List;

/**
 * The base class of the UC and UD requesters. A UC or UD request completes when its last packet has been sent, because no
 * packet is acknowledged. The request that is being sent is always the oldest request in the send queue. One call of {@link
 * #step} sends at most one packet of a request.
 *
 * <p>A request that fails locally completes with its own error status, and later requests are flushed. After a failed send
 * request, a UC or UD queue pair goes to SQE. In SQE the queue pair still receives, and a modify call can move it back to
 * RTS. In SQD the requester sends only the remaining packets of a request that has begun.
 */
abstract class UnackedSender implements Sender {
    final QpContext qp;
    final QpMemory memory;
    final QpOutput out;
    private final SendQueueHead front;
    private int psn;

    UnackedSender(QpContext qp, SendQueueHead front, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.out = out;
        this.front = front;
    }

    /** Sends the next packet of a request and returns SUCCESS or an error status. After the last packet the WQE state is DONE. */
    abstract WorkCompletionStatus sendPacket(SendWqe wqe);

    @Override
    public final boolean step(long now) {
        return switch (qp.state()) {
            case RTS -> stepReady(true);
            case SQD -> stepReady(false);
            case SQE, ERR -> {
                front.flush();
                yield false;
            }
            case RESET, INIT, RTR -> false;
        };
    }

    private boolean stepReady(boolean mayBegin) {
        if (front.isEmpty()) {
            return false;
        }
        SendWqe wqe = front.head();
        if (wqe.state() == WqeState.POSTED && !mayBegin) {
            return false;
        }
        WorkCompletionStatus status = wqe.opcode().isLocal() ? execute(wqe) : sendPacket(wqe);
        if (status != WorkCompletionStatus.SUCCESS) {
            note(wqe, status);
            fail(status);
        } else if (wqe.state() == WqeState.DONE) {
            front.complete(WorkCompletionStatus.SUCCESS);
        }
        return true;
    }

    private WorkCompletionStatus execute(SendWqe wqe) {
        wqe.state(WqeState.DONE);
        return memory.execute(wqe);
    }

    private void note(SendWqe wqe, WorkCompletionStatus status) {
        if (wqe.opcode().isLocal()) {
            qp.record.failed(FailureCause.LOCAL_OPERATION);
        } else if (status == WorkCompletionStatus.LOC_LEN_ERR) {
            qp.record.failed(
                    FailureCause.DATAGRAM_LENGTH,
                    psn,
                    Integer.toUnsignedLong(wqe.scatter().length()),
                    qp.pathMtu);
        } else if (status == WorkCompletionStatus.LOC_PROT_ERR) {
            qp.record.refused(FailureCause.LOCAL_KEY, psn, memory.refusal, true);
        } else {
            FailureCause why = qp.type == QpType.UD ? FailureCause.NO_ADDRESS : FailureCause.NO_SUCH_OPERATION;
            qp.record.failed(why, psn, 0, 0);
        }
    }

    private void fail(WorkCompletionStatus status) {
        out.count(Counter.SEND_ERR);
        // The state changes before the error completion is added, so that a thread that polls the completion finds the
        // queue pair in SQE (ERR under {@link Quirk#NO_SQE}).
        qp.failSending();
        boolean hidden = qp.has(Quirk.FAILING_SEND_IS_FLUSHED);
        front.complete(hidden ? WorkCompletionStatus.WR_FLUSH_ERR : status);
        // The later requests are flushed immediately, so that they are not sent if the application moves the queue pair
        // to RTS before the next call of `step`.
        front.flush();
        out.failed();
    }

    final int takePsn() {
        int taken = psn;
        psn = Psn.next(taken);
        return taken;
    }

    @Override
    public final long nextDeadline() {
        return NEVER;
    }

    @Override
    public final void start(int firstPsn) {
        psn = firstPsn;
    }

    @Override
    public final void describe(List<String> facts) {
        facts.add("PSNs: next to send " + psn);
    }

    @Override
    public final int psn() {
        return psn;
    }
}
