package dev.verbena.sim.device;

import dev.verbena.sim.fabric.PacketRun;
import dev.verbena.sim.qp.DirectRequests;
import dev.verbena.sim.qp.DirectSender;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.verbs.PostRefusal;
import org.jspecify.annotations.Nullable;

/**
 * Posts requests of one packet past the send queue: carries them out in the poster's thread, while it keeps the send task of this queue
 * pair and the receive task of the other one. Possible where a run of packets to the same queue pair came there in the sender's
 * thread and was seen by nobody else, and while nothing is posted or under way.
 *
 * <p>It extends the protocol's part instead of having it, as each further object is far away if there are many queue pairs.
 *
 * <p>Of a list whose first requests alone can be carried out, the others are posted, and other threads' requests may come between.
 */
final class DirectPosting extends DirectRequests {
    private final SimPort port;
    private final int capacity;
    private final ProgressTask sendTask;
    private final PacketRun run;

    // Who took the last run, and what of it is needed here, lest it is sought from object to object each time. Belongs
    // to the send task.
    private @Nullable PacketIntake intake;
    private @Nullable ProgressTask peerTask;
    private @Nullable SimPort peerPort;

    DirectPosting(SimPort port, QpContext state, ProgressTask sendTask, PacketRun run, DirectSender sender) {
        super(sender);
        this.port = port;
        capacity = state.sendQueue().ring().capacity();
        this.sendTask = sendTask;
        this.run = run;
    }

    /** Carries out the first requests of some; {@return how many} The others are to be posted. */
    int post(SimSendRequests batch, int first, int count) {
        PacketRun.Taker taker = run.lastTaker();
        if (count < 1
                || count > capacity
                || taker == null
                || !mayBe(batch.slots(), batch.checkedOffset(first, count))
                || !port.isUp()
                || !sendTask.tryBegin()) {
            return 0;
        }
        try {
            return post(batch, first, count, taker);
        } finally {
            if (wasAnswered()) {
                // From somebody else, in what the peer's receive task had to do meanwhile: needs a pass.
                sendTask.finish();
            } else {
                sendTask.end();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private int post(SimSendRequests batch, int first, int count, PacketRun.Taker taker) {
        if (taker != intake) {
            meet(taker instanceof PacketIntake other ? other : null);
        }
        ProgressTask task = peerTask;
        SimPort portThere = peerPort;
        if (task == null || portThere == null || !portThere.isUp() || !task.tryBegin()) {
            return 0;
        }
        try {
            return begin() ? carryOut(batch, first, count) : 0;
        } finally {
            task.end();
        }
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

    private int carryOut(SimSendRequests batch, int first, int count) {
        int done = 0;
        try {
            while (done < count && carryOut(batch, first + done)) {
                done++;
            }
        } finally {
            end();
        }
        return done;
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
