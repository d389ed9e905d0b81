package dev.verbena.sim.device;

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
 */
final class DirectPosting {
    private final SimQueuePair queuePair;
    private final QpContext state;
    private final Children users;
    private final ProgressTask sendTask;
    private final SimQpOutput output;
    private final DirectRequests requests;

    DirectPosting(
            SimQueuePair queuePair,
            QpContext state,
            Children users,
            ProgressTask sendTask,
            SimQpOutput output,
            DirectRequests requests) {
        this.queuePair = queuePair;
        this.state = state;
        this.users = users;
        this.sendTask = sendTask;
        this.output = output;
        this.requests = requests;
    }

    /** Carries out the first requests of some; {@return how many} The others are to be posted. */
    int post(SimSendRequests batch, int first, int count) {
        PacketIntake peer = output.lastTaker();
        if (peer == null
                || count < 1
                || count > state.sendQueue().ring().capacity()
                || !DirectRequests.mayBe(batch.slots(), batch.checkedOffset(first, count))
                || !queuePair.port().isUp()
                || !sendTask.tryBegin()) {
            return 0;
        }
        int done = 0;
        try {
            if (!users.isClosed() && peer.beginDirect(requests)) {
                try {
                    while (done < count && carryOut(batch, first + done)) {
                        done++;
                    }
                } finally {
                    peer.endDirect(requests);
                    if (done > 0) {
                        output.sentDirectly(requests);
                    }
                }
            }
        } finally {
            sendTask.end();
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
