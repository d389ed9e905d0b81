package dev.verbena.sim.qp;

import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SharedReceives;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.QpType;
import org.jspecify.annotations.Nullable;

/** Receives from a queue that is shared. One is taken, and copied, when a message begins; nobody else gets it then. */
final class SharedReceiveSource extends ReceiveSource {
    private final SharedReceives shared;
    private final QpContext qp;
    private final Slots copy;
    private boolean told;

    SharedReceiveSource(SharedReceives shared, QpContext qp, @Nullable LateWrites late) {
        super(late);
        this.shared = shared;
        this.qp = qp;
        copy = new Slots(shared.entrySize());
    }

    @Override
    boolean point() {
        wqe.wrap(copy, 0);
        return shared.take(copy);
    }

    @Override
    void consume() {
        // Left the queue when it was taken.
    }

    @Override
    @Nullable WorkQueue ownQueue() {
        return null;
    }

    @Override
    void forget() {
        super.forget();
        told = false;
    }

    /** Tells that no receive is in use by this queue pair any more, and none will be. */
    @Override
    void flushed(QpOutput out) {
        boolean repeats = qp.has(Quirk.LAST_WQE_REACHED_REPEATS);
        if (repeats || (!told && qp.type == QpType.RC)) {
            told = true;
            out.raise(AsyncEventType.QP_LAST_WQE_REACHED);
        }
    }
}
