// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** The source of the receives that messages fill: a receive queue or an SRQ. A source holds one receive at most. */
abstract class ReceiveSource {
    final ReceiveWqe wqe = new ReceiveWqe();
    private final @Nullable DelayedWrites late;
    private boolean held;
    /** Whether a message has begun to use the held receive; false if the receive is only reserved. */
    private boolean begun;

    /**
     * The parameter {@code late} contains the writes that are made at the latest when a receive request completes; it is null
     * if placement is not adversarial.
     */
    ReceiveSource(@Nullable DelayedWrites late) {
        this.late = late;
    }

    /** Gets the next receive for a message, unless the source already holds one. Returns false if no receive is posted. */
    final boolean take() {
        begun = reserve();
        return begun;
    }

    /** Reserves a receive for the next message, unless the source already holds one. Returns false if no receive is posted. */
    final boolean reserve() {
        if (!held) {
            held = point();
            if (held) {
                wqe.scatter().rewind();
            }
        }
        return held;
    }

    /** Returns whether a message has begun to use the held receive. If the message fails, the held receive fails, too. */
    final boolean isHeld() {
        return begun;
    }

    /** Returns whether a receive is held, either in use or only reserved. */
    final boolean isReserved() {
        return held;
    }

    final ScatterList buffer() {
        return wqe.scatter();
    }

    /** Removes the receive in use from its queue and returns its work request id. The caller must complete the receive. */
    final long finish() {
        flushDelayed();
        long id = wqe.workRequestId();
        held = false;
        begun = false;
        consume();
        return id;
    }

    /** Abandons an unfinished message. The next message starts at the first byte of the same receive. */
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
     * Completes the held receive, and all receives of the queue pair's own queue, with WR_FLUSH_ERR. The queue pair must be in
     * ERR.
     */
    final void flush(QpOutput out) {
        flushDelayed();
        while (held || (isOwn() && take())) {
            out.completeReceive(
                    finish(), WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionOpcode.RECV, 0, 0, 0, 0, false);
        }
        flushed(out);
    }

    /** Points {@link #wqe} at the next receive. Returns false if no receive is posted. */
    abstract boolean point();

    /** Removes the receive that {@link #wqe} points at from the queue. */
    abstract void consume();

    /** Returns the queue in which receives stay until they complete, or null for an SRQ. */
    abstract @Nullable WorkQueue ownQueue();

    /** Returns whether the receives belong to this queue pair alone and are flushed with the queue pair. */
    private boolean isOwn() {
        return ownQueue() != null;
    }

    /** {@link #flush} calls this method at its end. */
    abstract void flushed(QpOutput out);
}
