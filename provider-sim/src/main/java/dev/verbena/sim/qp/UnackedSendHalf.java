package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WqeState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Psn;
import java.util.List;

/**
 * What the sending halves of UC and UD have in common: nothing is acknowledged, so a request is complete when its last packet
 * is sent, and the one that is being sent is always the oldest. One step sends at most one packet.
 *
 * <p>A request that fails on this side completes with its own status, those behind it are flushed, and the queue pair goes to
 * SQE, in which it receives on and from which it can be taken back to RTS. In SQD only a request that has begun goes on.
 */
abstract class UnackedSendHalf implements SendHalf {
    final QpContext qp;
    final QpMemory memory;
    final QpOutput out;
    private final SendFront front;
    private int psn;

    UnackedSendHalf(QpContext qp, QpMemory memory, QpOutput out) {
        this.qp = qp;
        this.memory = memory;
        this.out = out;
        front = new SendFront(qp, out);
    }

    /** Sends the next packet of a request, whose state says afterwards whether it was the last; or says why not. */
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
            qp.record.failed(FailureCause.LOCAL_OPERATION, 0, 0, 0);
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
        // First, so that nobody finds the completion of an error and a queue pair that seems well.
        qp.failSending();
        boolean hidden = qp.has(Quirk.FAILING_SEND_IS_FLUSHED);
        front.complete(hidden ? WorkCompletionStatus.WR_FLUSH_ERR : status);
        // At once, lest they be sent by a user who is quick to go back to RTS.
        front.flush();
        out.failed();
    }

    /** Counts a packet; the PSN that it has. */
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
