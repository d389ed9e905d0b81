package dev.verbena.sim.qp;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** Where messages get their receives from. One message at a time holds one. */
abstract class ReceiveSource {
    final ReceiveWqe wqe = new ReceiveWqe();
    private final @Nullable LateWrites late;
    private boolean held;
    /** Whether a message that was begun holds it, and not one that was only tried. */
    private boolean begun;

    /** A source whose receives complete when {@code late}, if there is any, has been written. */
    ReceiveSource(@Nullable LateWrites late) {
        this.late = late;
    }

    /** Gets the next receive for a message, unless one is held already; false if there is none. */
    final boolean take() {
        begun = reserve();
        return begun;
    }

    /** Gets the next receive for whatever message will be next, unless one is held already; false if there is none. */
    final boolean reserve() {
        if (!held) {
            held = point();
            if (held) {
                wqe.scatter().rewind();
            }
        }
        return held;
    }

    /** Whether a message that was begun holds a receive, which fails with it. */
    final boolean isHeld() {
        return begun;
    }

    /** Whether a receive is held, for a message that was begun or only tried. */
    final boolean isReserved() {
        return held;
    }

    /** The buffer of the held receive. */
    final ScatterList buffer() {
        return wqe.scatter();
    }

    /** Ends the use of the held receive, which is to be completed; its id. */
    final long finish() {
        settle();
        long id = wqe.workRequestId();
        held = false;
        begun = false;
        consume();
        return id;
    }

    /** The message will not be finished: the next one starts at the first byte of the same receive. */
    final void startOver() {
        wqe.scatter().rewind();
    }

    /** Forgets the held receive, because the queue was emptied. */
    void forget() {
        settle();
        held = false;
        begun = false;
    }

    /** Makes visible what has arrived. */
    final void settle() {
        if (late != null) {
            late.settle();
        }
    }

    /** Completes with an error whatever will receive nothing any more, because the queue pair is in ERR. */
    final void flush(QpOutput out) {
        settle();
        while (held || (isOwn() && take())) {
            out.completeReceive(
                    finish(), WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionOpcode.RECV, 0, 0, 0, 0, false);
        }
        flushed(out);
    }

    /** Points {@link #wqe} at the next receive; false if there is none. */
    abstract boolean point();

    /** Takes the receive that {@link #wqe} points at off the queue. */
    abstract void consume();

    /** The queue that the receives stay in until they are complete, or null if there is none. */
    abstract @Nullable WorkQueue ownQueue();

    /** Whether the receives are the queue pair's own, to be flushed with it. */
    private boolean isOwn() {
        return ownQueue() != null;
    }

    /** Everything has been flushed; called each time. */
    abstract void flushed(QpOutput out);
}
