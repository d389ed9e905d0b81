// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.queue.WorkQueue;
import org.jspecify.annotations.Nullable;

/** The receive queue of one queue pair. A receive WQE stays in its slot until its message is complete. */
final class ReceiveQueueSource extends ReceiveSource {
    private final WorkQueue queue;

    ReceiveQueueSource(WorkQueue queue, @Nullable DelayedWrites late) {
        super(late);
        this.queue = queue;
    }

    @Override
    boolean point() {
        if (!queue.hasEntry()) {
            return false;
        }
        wqe.wrap(queue.slots(), queue.offset(queue.consumer()));
        return true;
    }

    @Override
    void consume() {
        queue.consume();
    }

    @Override
    WorkQueue ownQueue() {
        return queue;
    }

    @Override
    void flushed(QpOutput out) {
        // No event is raised, because LAST_WQE_REACHED concerns SRQs only.
    }
}
