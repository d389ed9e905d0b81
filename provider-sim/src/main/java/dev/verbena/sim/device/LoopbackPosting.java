// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.qp.LoopbackRequester;
import dev.verbena.sim.qp.LoopbackSendState;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The loopback path of one queue pair: executes send requests in the posting thread. While the posting thread executes
 * requests, no other thread can run the send task of this queue pair or the receive task of the peer. The loopback path is
 * used only if the fabric would deliver the packets in the posting thread, without a packet tap or a fault rule. While an
 * earlier request of the queue pair is queued or in flight, a new request does not use the loopback path.
 *
 * <p>After executing all requests of a {@code postSend} call, the posting thread calls {@link ProgressTask#park} for the
 * local send task and the peer's receive task. {@code park} ends the thread's exclusive right to run the task, without
 * writing the new PSNs and diagnostic data to the queue pair. If {@link ProgressTask#tryUnpark} succeeds for both tasks and
 * {@link #resume} returns true, the next {@code postSend} does not check the queue pairs' states. A change of a queue
 * pair's state schedules or disables its tasks, so that {@code tryUnpark} fails (invariants "<b>A state change schedules
 * the task</b>" and "<b>Kept together</b>" in docs/fast-paths.md). A separate requester would cost a cache miss, so {@code
 * LoopbackPosting} extends {@link LoopbackRequester}.
 */
final class LoopbackPosting extends LoopbackRequester {
    private final SimPort port;
    private final SimCompletionQueue sendCq;
    private final ProgressTask sendTask;
    private final Consumer<Throwable> failure;
    private final int capacity;
    private final int number;

    // To save cache misses, peerTask and peerPort are copied from the remote queue pair. Only the thread that owns the
    // send task, and so alone may run it, uses the fields peerTask and peerPort.
    private @Nullable ProgressTask peerTask;
    private @Nullable SimPort peerPort;

    private @Nullable PacketDispatcher intake;

    /** If {@code flushDeferred()} or the execution of a request throws an exception, {@code failure} gets the exception. */
    LoopbackPosting(
            SimPort port,
            QpContext state,
            SimCompletionQueue sendCq,
            ProgressTask sendTask,
            LoopbackSendState sender,
            Consumer<Throwable> failure) {
        super(sender);
        this.port = port;
        this.sendCq = sendCq;
        this.sendTask = sendTask;
        this.failure = failure;
        capacity = state.sendQueue().capacity();
        number = state.number();
        sendTask.setDeferredFlush(this::tryFlushDeferred);
    }

    private void tryFlushDeferred() {
        try {
            flushDeferred();
        } catch (Throwable thrown) {
            failure.accept(thrown);
        }
    }

    /** Executes the first requests of a {@code postSend} call, and returns their number. The caller posts the others. */
    int post(SimSendRequests batch, int first, int count) {
        boolean possible = count > 0
                && count <= capacity
                && mayBe(batch.slots(), batch.checkedOffset(first, count))
                && port.isUp();
        if (sendTask.tryUnpark()) {
            return possible ? postAgain(batch, first, count) : endSendTask();
        }
        return possible && findPeer() != null && sendTask.tryBegin() ? postFirst(batch, first, count) : 0;
    }

    private @Nullable PacketDispatcher findPeer() {
        return port.peer(path(), destinationQpn()) instanceof PacketDispatcher found ? found : null;
    }

    /**
     * Executes the requests of a {@code postSend} call, if the previous call executed all its requests. The caller must
     * have become the owner of the send task by {@link ProgressTask#tryUnpark}, so that no other thread can run it.
     */
    private int postAgain(SimSendRequests batch, int first, int count) {
        ProgressTask task = peerTask;
        SimPort portThere = peerPort;
        if (task == null || portThere == null || !portThere.isUp() || !task.tryUnpark()) {
            flushDeferred();
            return postFirst(batch, first, count);
        }
        if (!resume()) {
            task.park();
            flushDeferred();
            return postFirst(batch, first, count);
        }
        return execute(batch, first, count, task);
    }

    /**
     * Checks all conditions of the loopback path, and then executes the requests of a {@code postSend} call. The caller
     * must own the send task, and must have written the deferred PSNs and diagnostic data to the queue pair.
     */
    @SuppressWarnings("ReferenceEquality")
    private int postFirst(SimSendRequests batch, int first, int count) {
        PacketDispatcher found = findPeer();
        if (found != intake) {
            meet(found);
        }
        ProgressTask task = peerTask;
        SimPort portThere = peerPort;
        if (task == null || portThere == null || !portThere.isUp() || !task.tryBegin()) {
            return endSendTask();
        }
        if (!begin()) {
            task.end();
            return endSendTask();
        }
        return execute(batch, first, count, task);
    }

    /** Runs the send task if a response packet is queued. Then permits other threads to run the send task. */
    private int endSendTask() {
        flushDeferred();
        if (wasAnswered()) {
            sendTask.finish();
        } else {
            sendTask.end();
        }
        return 0;
    }

    private int execute(SimSendRequests batch, int first, int count, ProgressTask task) {
        int done = 0;
        try {
            while (done < count && execute(batch, first + done)) {
                done++;
            }
        } catch (Throwable thrown) {
            // An exception on the loopback path may leave both queue pairs in an inconsistent state, so both queue
            // pairs fail. `SimQueuePair.postSend` adds the failed request to the send queue, and the send task flushes
            // this request.
            failure.accept(thrown);
            PacketDispatcher there = intake;
            if (there != null) {
                there.engineFailed(thrown);
            }
        } finally {
            end();
            // Park the send task only if the peer's receive task is parked too (invariant "Kept together").
            boolean parked = task.park();
            if (parked && done == count) {
                sendTask.park();
            } else {
                // The next request may take the packet path, so `endSendTask()` writes the deferred PSNs back
                // (invariant "Flush before reading" in docs/fast-paths.md).
                endSendTask();
            }
        }
        return done;
    }

    @Override
    protected boolean isRunRequested() {
        ProgressTask task = peerTask;
        return sendTask.isRunRequested() || task == null || task.isRunRequested();
    }

    @Override
    protected void completeSend(long workRequestId, WorkCompletionOpcode opcode) {
        sendCq.add(workRequestId, WorkCompletionStatus.SUCCESS, opcode, 0, number, 0, 0, 0, false);
    }

    private void meet(@Nullable PacketDispatcher other) {
        intake = other;
        peerTask = other == null ? null : other.receiveTask();
        peerPort = other == null ? null : other.port();
        meet(other == null ? null : other.loopbackResponder());
    }

    /** Sets all references to the remote queue pair to null. The send task must not be running. */
    void forget() {
        meet((PacketDispatcher) null);
    }

    private boolean execute(SimSendRequests batch, int index) {
        Slots slots = batch.slots();
        long offset = batch.offset(index);
        // If a request object was posted before and not changed, its SimSendWorkRequest is not accessed, which saves a
        // cache miss.
        boolean checked = SendWqe.isChecked(slots, offset);
        if (!checked && batch.request(index).check() != PostRefusal.NONE) {
            return false;
        }
        boolean done = execute(slots, offset);
        if (done && !checked) {
            batch.request(index).posted();
        }
        return done;
    }
}
