package dev.verbena.sim.device;

import dev.verbena.sim.fabric.PacketRun;
import dev.verbena.sim.qp.DirectRequests;
import dev.verbena.sim.qp.DirectSender;
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
 * Posts requests past the send queue: carries them out in the poster's thread, while it has the send task of this queue pair and the
 * receive task of the other one. Possible where a run of packets to the same queue pair came there in the sender's thread and was seen
 * by nobody else, and while nothing is posted or under way. Where all of a list was carried out both tasks are kept, and the next list
 * needs no look at what has not changed since: whoever changes it asks for a run of its task.
 *
 * <p>It extends the protocol's part instead of having it, as each further object is far away if there are many queue pairs.
 *
 * <p>Of a list whose first requests alone can be carried out, the others are posted, and other threads' requests may come between.
 */
final class DirectPosting extends DirectRequests {
    private final SimPort port;
    private final SimCompletionQueue sendCq;
    private final ProgressTask sendTask;
    private final Consumer<Throwable> failure;
    private final int capacity;
    private final int number;

    // Who took the last run, and what of it is needed here, lest it is sought from object to object each time. Belongs
    // to the send task.
    private @Nullable ProgressTask peerTask;
    private @Nullable SimPort peerPort;

    private @Nullable PacketIntake intake;
    private final PacketRun run;

    /**
     * Makes the loopback path of a queue pair.
     *
     * @param failure gets what was thrown while requests were executed or settled, in a run of the send task
     */
    DirectPosting(
            SimPort port,
            QpContext state,
            SimCompletionQueue sendCq,
            ProgressTask sendTask,
            PacketRun run,
            DirectSender sender,
            Consumer<Throwable> failure) {
        super(sender);
        this.port = port;
        this.sendCq = sendCq;
        this.sendTask = sendTask;
        this.run = run;
        this.failure = failure;
        capacity = state.sendQueue().capacity();
        number = state.number();
        sendTask.settleBy(this::trySettle);
    }

    private void trySettle() {
        try {
            settle();
        } catch (Throwable thrown) {
            failure.accept(thrown);
        }
    }

    /** Carries out the first requests of some; {@return how many} The others are to be posted. */
    int post(SimSendRequests batch, int first, int count) {
        boolean possible = count > 0
                && count <= capacity
                && mayBe(batch.slots(), batch.checkedOffset(first, count))
                && port.isUp();
        if (sendTask.tryResume()) {
            return possible ? postAgain(batch, first, count) : leave();
        }
        return possible && run.lastTaker() != null && sendTask.tryBegin() ? postFirst(batch, first, count) : 0;
    }

    /** As the last list was carried out, and both tasks may still be as that left them. */
    private int postAgain(SimSendRequests batch, int first, int count) {
        ProgressTask task = peerTask;
        SimPort portThere = peerPort;
        if (task == null || portThere == null || !portThere.isUp() || !task.tryResume()) {
            settle();
            return postFirst(batch, first, count);
        }
        if (!resume()) {
            task.keep();
            settle();
            return postFirst(batch, first, count);
        }
        return carryOut(batch, first, count, task);
    }

    /** With the send task, and all of it settled. */
    @SuppressWarnings("ReferenceEquality")
    private int postFirst(SimSendRequests batch, int first, int count) {
        PacketRun.Taker taker = run.lastTaker();
        if (taker != null && taker != intake) {
            meet(taker instanceof PacketIntake other ? other : null);
        }
        ProgressTask task = peerTask;
        SimPort portThere = peerPort;
        if (taker == null || task == null || portThere == null || !portThere.isUp() || !task.tryBegin()) {
            return leave();
        }
        if (!begin()) {
            task.end();
            return leave();
        }
        return carryOut(batch, first, count, task);
    }

    /** Ends the run of the send task; there may be a response that came meanwhile. */
    private int leave() {
        settle();
        if (wasAnswered()) {
            sendTask.finish();
        } else {
            sendTask.end();
        }
        return 0;
    }

    private int carryOut(SimSendRequests batch, int first, int count, ProgressTask task) {
        int done = 0;
        try {
            while (done < count && carryOut(batch, first + done)) {
                done++;
            }
        } catch (Throwable thrown) {
            // Both ends may be half changed. The request is posted, and flushed.
            failure.accept(thrown);
            PacketIntake there = intake;
            if (there != null) {
                there.engineFailed(thrown);
            }
        } finally {
            end();
            boolean kept = task.keep();
            if (kept && done == count) {
                sendTask.keep();
            } else {
                // What is to be posted behind them finds all settled.
                leave();
            }
        }
        return done;
    }

    @Override
    protected boolean isAskedFor() {
        ProgressTask task = peerTask;
        return sendTask.isAskedFor() || task == null || task.isAskedFor();
    }

    @Override
    protected void completeSend(long workRequestId, WorkCompletionOpcode opcode) {
        sendCq.add(workRequestId, WorkCompletionStatus.SUCCESS, opcode, 0, number, 0, 0, 0, false);
    }

    private void meet(@Nullable PacketIntake other) {
        intake = other;
        peerTask = other == null ? null : other.receiveTask();
        peerPort = other == null ? null : other.port();
        meet(other == null ? null : other.directArrivals());
    }

    /** Forgets the peer, when the send task does not run. */
    void forget() {
        meet((PacketIntake) null);
    }

    private boolean carryOut(SimSendRequests batch, int index) {
        Slots slots = batch.slots();
        long offset = batch.offset(index);
        // As for a post, one that was posted before is not looked at as an object.
        boolean checked = SendWqe.isChecked(slots, offset);
        if (!checked && batch.request(index).check() != PostRefusal.NONE) {
            return false;
        }
        boolean done = carryOut(slots, offset);
        if (done && !checked) {
            batch.request(index).posted();
        }
        return done;
    }
}
