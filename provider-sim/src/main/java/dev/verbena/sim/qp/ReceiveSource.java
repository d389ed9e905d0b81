// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** The receive queue or SRQ of a queue pair. At most one receive WQE is reserved for a message or in use by a message. */
abstract class ReceiveSource {
    final ReceiveWqe wqe = new ReceiveWqe();
    private final @Nullable DelayedWrites late;
    private boolean held;
    /** Whether a message has begun to use the receive WQE; false if the receive WQE is only reserved for a message. */
    private boolean begun;

    /**
     * Creates a source of receive WQEs. Before a receive WQE completes, the responder executes the delayed memory writes in
     * {@code late}. If {@code late} is null, the device delays no memory writes.
     */
    ReceiveSource(@Nullable DelayedWrites late) {
        this.late = late;
    }

    /** Gets the reserved receive WQE or else the next posted one. Returns false if no receive WQE is posted. */
    final boolean take() {
        begun = reserve();
        return begun;
    }

    /** Reserves a receive WQE for the next message, if none is reserved. Returns false if no receive WQE is posted. */
    final boolean reserve() {
        if (!held) {
            held = point();
            if (held) {
                wqe.scatter().rewind();
            }
        }
        return held;
    }

    /** Returns whether a message uses a receive WQE. If the message fails, the receive WQE completes with an error. */
    final boolean isHeld() {
        return begun;
    }

    /** Returns whether a receive WQE is in use by a message or reserved for a message. */
    final boolean isReserved() {
        return held;
    }

    final ScatterList buffer() {
        return wqe.scatter();
    }

    /** Removes the receive WQE in use from its queue and returns its work request id. The caller must complete the WQE. */
    final long finish() {
        flushDelayed();
        long id = wqe.workRequestId();
        held = false;
        begun = false;
        consume();
        return id;
    }

    /** Abandons an unfinished message. The next message starts at the first byte of the same receive buffer. */
    final void startOver() {
        wqe.scatter().rewind();
    }

    void forget() {
        flushDelayed();
        held = false;
        begun = false;
    }

    final void flushDelayed() {
        if (late != null) {
            late.flushDelayed();
        }
    }

    /**
     * Completes the receive WQE that is reserved or in use, and all WQEs of the queue pair's own receive queue, with
     * WR_FLUSH_ERR. The queue pair must be in ERR.
     */
    final void flush(QpOutput out) {
        flushDelayed();
        while (held || (isOwn() && take())) {
            out.completeReceive(
                    finish(), WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionOpcode.RECV, 0, 0, 0, 0, false);
        }
        flushed(out);
    }

    /** Points {@link #wqe} at the next receive WQE. Returns false if no receive WQE is posted. */
    abstract boolean point();

    abstract void consume();

    /** Returns the receive queue in which receive WQEs stay until they complete, or null for an SRQ. */
    abstract @Nullable WorkQueue ownQueue();

    /** Returns whether the receive WQEs belong to this queue pair alone and are flushed with the queue pair. */
    private boolean isOwn() {
        return ownQueue() != null;
    }

    /** The last action of {@link #flush} is a call of this method. */
    abstract void flushed(QpOutput out);
}
