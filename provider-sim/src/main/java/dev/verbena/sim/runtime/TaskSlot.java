// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A slot through which a thread hands one task to a polling worker. The worker opens the slot while it polls and closes it
 * afterwards. Passing a task through the slot costs the transfer of one cache line between two processors, and no contended
 * lock. This class is thread-safe.
 */
final class TaskSlot {
    /** The content of a slot without a task is OPEN while a worker polls for a task, otherwise CLOSED. */
    private enum Mark {
        CLOSED,
        OPEN
    }

    private static final VarHandle CONTENT;

    static {
        try {
            CONTENT = MethodHandles.lookup().findVarHandle(TaskSlot.class, "content", Object.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private volatile Object content = Mark.CLOSED;

    /** Opens the slot. Returns false if another worker already polls this slot. */
    boolean open() {
        return CONTENT.compareAndSet(this, Mark.CLOSED, Mark.OPEN);
    }

    /** Hands a task to the polling worker. Returns false if no worker polls this slot, or if the slot already has a task. */
    boolean offer(RuntimeTask task) {
        return content == Mark.OPEN && CONTENT.compareAndSet(this, Mark.OPEN, task);
    }

    /** Removes and returns a task that the worker has not fetched, or returns null. */
    @Nullable RuntimeTask steal() {
        return content instanceof RuntimeTask task && CONTENT.compareAndSet(this, task, Mark.CLOSED) ? task : null;
    }

    /** Returns whether the polling worker must stop: a task has arrived, or the slot was closed. */
    boolean hasEnded() {
        return content != Mark.OPEN;
    }

    /** Closes the slot, and returns the task in it or null. */
    @Nullable RuntimeTask close() {
        return CONTENT.getAndSet(this, Mark.CLOSED) instanceof RuntimeTask task ? task : null;
    }
}
