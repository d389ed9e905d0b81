package dev.verbena.sim.device;

import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendFlag;

/** The user's side of the queues of one queue pair: takes what is posted, or says why not. Posting holds the lock of the queue. */
final class QpPosting {
    private final SimQueuePair owner;
    private final QpContext state;
    private final Children users;
    private final boolean usesSrq;
    private final SendWqe posted;
    private final SimRequests.Taker<SimSendRequests> sends = this::takeSend;
    private final SimRequests.Taker<SimReceiveRequests> receives = this::takeReceive;

    QpPosting(SimQueuePair owner, QpContext state, Children users, boolean usesSrq) {
        this.owner = owner;
        this.state = state;
        this.users = users;
        this.usesSrq = usesSrq;
        posted = new SendWqe(state.type());
    }

    /** Posts sends; {@return how many were taken} */
    int post(SimSendRequests batch, int first, int count) {
        return batch.post(state.sendQueue().posting(), sends, first, count);
    }

    /** Posts receives; {@return how many were taken} */
    int post(ReceiveRequests requests, int first, int count) {
        if (!(requests instanceof SimReceiveRequests batch)) {
            throw SimRequests.foreign(owner);
        }
        batch.checkOwner(owner);
        return batch.post(state.receiveQueue().posting(), receives, first, count);
    }

    private PostRefusal takeSend(SimSendRequests batch, int index) {
        Slots slots = batch.slots();
        long offset = batch.offset(index);
        // One that was posted before is not looked at as an object, which may be far away.
        PostRefusal refusal =
                SendWqe.isChecked(slots, offset) ? takeAgain(slots, offset) : tryTakeSend(batch.request(index));
        if (refusal == PostRefusal.NONE) {
            state.record().postedSend(state.signalsAll() || SendWqe.has(slots, offset, SendFlag.SIGNALED));
        } else {
            state.record().postRefused(refusal);
        }
        return refusal;
    }

    /** Posts a request that has been checked and has not changed since. */
    private PostRefusal takeAgain(Slots slots, long offset) {
        PostRefusal defect = sendRefusal();
        if (defect != PostRefusal.NONE) {
            return defect;
        }
        WorkQueue queue = state.sendQueue();
        if (queue.ring().isFull()) {
            return PostRefusal.QUEUE_FULL;
        }
        queue.fill(slots, offset, SendWqe.ENGINE_LENGTH, SendWqe.lengthOf(slots, offset));
        SendWqe.posted(queue.slots(), queue.offset(queue.ring().producer()));
        queue.ring().produce();
        return PostRefusal.NONE;
    }

    private PostRefusal tryTakeSend(SimSendWorkRequest request) {
        PostRefusal defect = sendRefusal();
        if (defect == PostRefusal.NONE) {
            defect = request.check();
        }
        if (defect != PostRefusal.NONE) {
            return defect;
        }
        Ring ring = state.sendQueue().ring();
        if (ring.isFull()) {
            return PostRefusal.QUEUE_FULL;
        }
        if (!request.copyTo(state.sendQueue(), posted)) {
            return PostRefusal.FOREIGN_OBJECT;
        }
        ring.produce();
        request.posted();
        return PostRefusal.NONE;
    }

    private PostRefusal sendRefusal() {
        if (users.isClosed()) {
            return PostRefusal.CLOSED;
        }
        return switch (state.state()) {
            case RTS, SQD, SQE, ERR -> PostRefusal.NONE;
            case RESET, INIT, RTR -> PostRefusal.WRONG_STATE;
        };
    }

    private PostRefusal takeReceive(SimReceiveRequests batch, int index) {
        if (users.isClosed()) {
            return PostRefusal.CLOSED;
        }
        if (usesSrq) {
            return PostRefusal.USES_SRQ;
        }
        if (state.state() == QpState.RESET) {
            state.record().postRefused(PostRefusal.WRONG_STATE);
            return PostRefusal.WRONG_STATE;
        }
        return batch.request(index).postTo(state.receiveQueue());
    }
}
