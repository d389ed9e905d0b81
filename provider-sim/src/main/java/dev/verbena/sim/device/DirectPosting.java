package dev.verbena.sim.device;

import dev.verbena.sim.fabric.PacketRun;
import dev.verbena.sim.qp.DirectArrivals;
import dev.verbena.sim.qp.DirectRequests;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.verbs.PostRefusal;

/**
 * Posts requests of one packet past the send queue: carries them out in the poster's thread, while it keeps the send task of this queue
 * pair and the receive task of the other one. Possible where a run of packets to the same queue pair came there in the sender's
 * thread and was seen by nobody else, and while nothing is posted or under way.
 *
 * <p>Of a list whose first requests alone can be carried out, the others are posted, and other threads' requests may come between.
 */
final class DirectPosting {
    private final SimPort port;
    private final QpContext state;
    private final int capacity;
    private final ProgressTask sendTask;
    private final PacketRun run;
    private final DirectRequests requests;

    DirectPosting(SimPort port, QpContext state, ProgressTask sendTask, PacketRun run, DirectRequests requests) {
        this.port = port;
        this.state = state;
        capacity = state.sendQueue().ring().capacity();
        this.sendTask = sendTask;
        this.run = run;
        this.requests = requests;
    }

    /** Carries out the first requests of some; {@return how many} The others are to be posted. */
    int post(SimSendRequests batch, int first, int count) {
        if (count < 1 || count > capacity || !(run.lastTaker() instanceof PacketIntake intake)) {
            return 0;
        }
        DirectArrivals peer = intake.directArrivals();
        if (peer == null
                || !DirectRequests.mayBe(batch.slots(), batch.checkedOffset(first, count))
                || !port.isUp()
                || !sendTask.tryBegin()) {
            return 0;
        }
        try {
            return intake.beginDirect() ? post(batch, first, count, intake, peer) : 0;
        } finally {
            if (state.responses().hasInside()) {
                // From somebody else, in what the peer's receive task had to do meanwhile: needs a pass.
                sendTask.finish();
            } else {
                sendTask.end();
            }
        }
    }

    private int post(SimSendRequests batch, int first, int count, PacketIntake intake, DirectArrivals peer) {
        int done = 0;
        try {
            if (requests.begin(peer)) {
                while (done < count && carryOut(batch, first + done)) {
                    done++;
                }
            }
        } finally {
            requests.end();
            intake.endDirect();
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
        boolean done = requests.carryOut(slots, offset);
        if (done && !checked) {
            batch.request(index).posted();
        }
        return done;
    }
}
