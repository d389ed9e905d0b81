package dev.verbena.sim.qp;

import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.WorkQueue;
import org.jspecify.annotations.Nullable;

/** The receive queue of one queue pair. A receive stays in its slot until its message is complete. */
final class OwnReceives extends ReceiveSource {
    private final WorkQueue queue;
    private final Ring ring;

    OwnReceives(WorkQueue queue, @Nullable LateWrites late) {
        super(late);
        this.queue = queue;
        ring = queue.ring();
    }

    @Override
    boolean point() {
        if (!ring.hasEntry()) {
            return false;
        }
        wqe.wrap(queue.slots(), queue.offset(ring.consumer()));
        return true;
    }

    @Override
    void consume() {
        ring.consume();
    }

    @Override
    boolean isOwn() {
        return true;
    }

    @Override
    void flushed(QpOutput out) {
        // The completions have told.
    }
}
