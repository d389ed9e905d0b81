// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.queue.SharedReceives;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.QpType;
import org.jspecify.annotations.Nullable;

/**
 * Takes receive requests from an SRQ, like {@code get_srq_wqe} of rxe. Before the responder uses a receive request for a
 * message, this class copies the receive request and removes it from the SRQ, so that no other queue pair can use it.
 */
final class SharedReceiveSource extends ReceiveSource {
    private final SharedReceives shared;
    private final QpContext qp;
    private final Slots copy;
    private boolean told;

    SharedReceiveSource(SharedReceives shared, QpContext qp, @Nullable DelayedWrites late) {
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
        // `point` has already removed the receive request from the SRQ.
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

    /** Raises QP_LAST_WQE_REACHED, because the queue pair will consume no further receive WQE of the SRQ. */
    @Override
    void flushed(QpOutput out) {
        boolean repeats = qp.has(Quirk.LAST_WQE_REACHED_REPEATS);
        if (repeats || (!told && qp.type == QpType.RC)) {
            told = true;
            out.raise(AsyncEventType.QP_LAST_WQE_REACHED);
        }
    }
}
