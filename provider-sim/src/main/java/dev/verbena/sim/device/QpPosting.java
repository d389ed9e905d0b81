// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.sim.runtime.CacheLinePadded;
import dev.verbena.sim.runtime.SpinLock;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendFlag;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Accepts or refuses the work requests posted to the queues of one queue pair ({@code rxe_post_send} and {@code
 * rxe_post_recv}). A thread that posts to a queue locks this queue. The locks are fields of {@code QpPosting}, so the locks
 * share no cache line with the queues. Threads that do not post also read the queues. A lock in the cache line of a queue
 * would cost each reader of the queue a cache miss.
 */
final class QpPosting extends CacheLinePadded implements SimRequests.Taker<SimReceiveRequests> {
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

    @SuppressWarnings("UnusedVariable") // Accessed through its VarHandle.
    private int receiveLock;

    @SuppressWarnings("UnusedVariable")
    private int sendLock;

    private final QueuePair owner;
    private final QpContext state;
    private final WorkQueue receiveQueue;
    private final WorkQueue sendQueue;
    private final boolean usesSrq;
    private volatile boolean closed;
    private final SendWqe posted;
    private final SimRequests.Taker<SimSendRequests> sends = this::takeSend;

    QpPosting(QueuePair owner, QpContext state, boolean usesSrq) {
        this.owner = owner;
        this.state = state;
        this.usesSrq = usesSrq;
        receiveQueue = state.receiveQueue();
        sendQueue = state.sendQueue();
        posted = new SendWqe(state.type());
    }

    void close() {
        closed = true;
    }

    /** Locks the send queue and the receive queue: waits for {@code post} calls in progress, and blocks new calls. */
    void lock() {
        SpinLock.lock(SEND_LOCK, this);
        SpinLock.lock(RECEIVE_LOCK, this);
    }

    void unlock() {
        SpinLock.unlock(RECEIVE_LOCK, this);
        SpinLock.unlock(SEND_LOCK, this);
    }

    int post(SimSendRequests batch, int first, int count) {
        SpinLock.lock(SEND_LOCK, this);
        try {
            return batch.post(sends, first, count);
        } finally {
            SpinLock.unlock(SEND_LOCK, this);
        }
    }

    int post(ReceiveRequests requests, int first, int count) {
        if (!(requests instanceof SimReceiveRequests batch)) {
            throw SimRequests.foreign(owner);
        }
        batch.checkOwner(owner);
        SpinLock.lock(RECEIVE_LOCK, this);
        try {
            return batch.post(this, first, count);
        } finally {
            SpinLock.unlock(RECEIVE_LOCK, this);
        }
    }

    private PostRefusal takeSend(SimSendRequests batch, int index) {
        Slots slots = batch.slots();
        long offset = batch.offset(index);
        // If a request object was posted before and not changed, its SimSendWorkRequest is not accessed, which saves a
        // cache miss. Each `postSend` call checks an inline request and copies its data, because the data may have
        // changed since the previous call.
        PostRefusal refusal = SendWqe.isChecked(slots, offset) && !SendWqe.has(slots, offset, SendFlag.INLINE)
                ? takeAgain(slots, offset)
                : tryTakeSend(batch.request(index));
        if (refusal == PostRefusal.NONE) {
            state.record().postedSend(state.signalsAll() || SendWqe.has(slots, offset, SendFlag.SIGNALED));
        } else {
            state.record().postRefused(refusal);
        }
        return refusal;
    }

    /** Posts a request that an earlier call has checked and that has not been changed since. */
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
