package dev.verbena.sim.device;

import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.sim.runtime.OwnLine;
import dev.verbena.sim.runtime.ShortLock;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendFlag;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The user's side of the queues of one queue pair: takes what is posted, or says why not. Posting holds a lock for each queue, which is
 * here and not in the queue: there an engine in another thread reads the line, and to take a lock is to wait for the line.
 */
final class QpPosting extends OwnLine implements SimRequests.Taker<SimReceiveRequests> {
    private static final VarHandle SEND_LOCK;
    private static final VarHandle RECEIVE_LOCK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SEND_LOCK = lookup.findVarHandle(QpPosting.class, "sendLock", int.class);
            RECEIVE_LOCK = lookup.findVarHandle(QpPosting.class, "receiveLock", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    @SuppressWarnings("UnusedVariable") // Reached through its handle.
    private int receiveLock;

    @SuppressWarnings("UnusedVariable")
    private int sendLock;

    private final SimQueuePair owner;
    private final QpContext state;
    private final WorkQueue receiveQueue;
    private final WorkQueue sendQueue;
    private final boolean usesSrq;
    private volatile boolean closed;
    private final SendWqe posted;
    private final SimRequests.Taker<SimSendRequests> sends = this::takeSend;

    QpPosting(SimQueuePair owner, QpContext state, boolean usesSrq) {
        this.owner = owner;
        this.state = state;
        this.usesSrq = usesSrq;
        receiveQueue = state.receiveQueue();
        sendQueue = state.sendQueue();
        posted = new SendWqe(state.type());
    }

    /** From now on everything is refused. */
    void close() {
        closed = true;
    }

    /** Waits until nobody posts, and keeps everybody from it. */
    void lock() {
        ShortLock.lock(SEND_LOCK, this);
        ShortLock.lock(RECEIVE_LOCK, this);
    }

    /** Lets everybody post. */
    void unlock() {
        ShortLock.unlock(RECEIVE_LOCK, this);
        ShortLock.unlock(SEND_LOCK, this);
    }

    /** Posts sends; {@return how many were taken} */
    int post(SimSendRequests batch, int first, int count) {
        ShortLock.lock(SEND_LOCK, this);
        try {
            return batch.post(sends, first, count);
        } finally {
            ShortLock.unlock(SEND_LOCK, this);
        }
    }

    /** Posts receives; {@return how many were taken} */
    int post(ReceiveRequests requests, int first, int count) {
        if (!(requests instanceof SimReceiveRequests batch)) {
            throw SimRequests.foreign(owner);
        }
        batch.checkOwner(owner);
        ShortLock.lock(RECEIVE_LOCK, this);
        try {
            return batch.post(this, first, count);
        } finally {
            ShortLock.unlock(RECEIVE_LOCK, this);
        }
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
        if (sendQueue.isFull()) {
            return PostRefusal.QUEUE_FULL;
        }
        sendQueue.fill(slots, offset, SendWqe.ENGINE_LENGTH, SendWqe.lengthOf(slots, offset));
        SendWqe.posted(sendQueue.producerSlots(), sendQueue.producerOffset());
        sendQueue.produce();
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
        if (sendQueue.isFull()) {
            return PostRefusal.QUEUE_FULL;
        }
        PostRefusal gone = request.copyTo(sendQueue, posted);
        if (gone != PostRefusal.NONE) {
            return gone;
        }
        sendQueue.produce();
        request.posted();
        return PostRefusal.NONE;
    }

    private PostRefusal sendRefusal() {
        if (closed) {
            return PostRefusal.CLOSED;
        }
        return switch (state.state()) {
            case RTS, SQD, SQE, ERR -> PostRefusal.NONE;
            case RESET, INIT, RTR -> PostRefusal.WRONG_STATE;
        };
    }

    /** Takes a receive. */
    @Override
    public PostRefusal take(SimReceiveRequests batch, int index) {
        if (closed) {
            return PostRefusal.CLOSED;
        }
        if (usesSrq) {
            return PostRefusal.USES_SRQ;
        }
        if (state.state() == QpState.RESET) {
            state.record().postRefused(PostRefusal.WRONG_STATE);
            return PostRefusal.WRONG_STATE;
        }
        return batch.postTo(receiveQueue, index);
    }
}
