// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** The receive queue or SRQ of a queue pair. At most one receive WQE is reserved for, or assigned to, a message. */
abstract class ReceiveSource {
    final ReceiveWqe wqe = new ReceiveWqe();
    private final @Nullable DelayedWrites late;
    private boolean held;
    /** Whether the receive WQE is assigned to an incoming message; false if it is only reserved for the next message. */
    private boolean begun;

    /**
     * Before a receive WQE completes, this class writes to memory the received bytes that {@code late} has delayed. If
     * {@code late} is null, received bytes are written to memory immediately.
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

    /** Returns whether a receive WQE is assigned to a message. If the message fails, the WQE completes with an error. */
    final boolean isHeld() {
        return begun;
    }

    /** Returns whether a receive WQE is reserved for, or assigned to, an incoming message. */
    final boolean isReserved() {
        return held;
    }

    final ScatterList buffer() {
        return wqe.scatter();
    }

    /** Removes the message's receive WQE from its queue and returns the wr_id. The caller must complete the receive WQE. */
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
     * Completes the receive WQE that is reserved for or assigned to a message, and all WQEs of the queue pair's own receive
     * queue, with WR_FLUSH_ERR. The queue pair must be in ERR.
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
