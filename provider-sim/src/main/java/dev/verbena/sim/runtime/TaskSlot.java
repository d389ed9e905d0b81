// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A queue for one task, which a thread passes to a polling worker thread. The worker thread opens its {@code TaskSlot}
 * before it polls, and closes it afterwards. Passing a task through a {@code TaskSlot} costs the transfer of one cache line
 * between two processors, but acquires no lock. This class is thread-safe.
 */
final class TaskSlot {
    /** The content of a {@code TaskSlot} without a task: OPEN while a worker thread polls it, otherwise CLOSED. */
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

    /** Permits threads to pass a task to the calling worker. Returns false if another worker polls for a task. */
    boolean open() {
        return CONTENT.compareAndSet(this, Mark.CLOSED, Mark.OPEN);
    }

    /** Passes a task to the polling worker. Returns false if no worker polls, or it has not fetched an earlier task yet. */
    boolean offer(RuntimeTask task) {
        return content == Mark.OPEN && CONTENT.compareAndSet(this, Mark.OPEN, task);
    }

    /** Removes and returns a task that the worker has not fetched, or returns null. */
    @Nullable RuntimeTask steal() {
        return content instanceof RuntimeTask task && CONTENT.compareAndSet(this, task, Mark.CLOSED) ? task : null;
    }

    /** Returns whether the worker must stop polling: this {@code TaskSlot} contains a task, or is closed. */
    boolean hasEnded() {
        return content != Mark.OPEN;
    }

    /** Closes this {@code TaskSlot}. Returns the task that it contained, or null. */
    @Nullable RuntimeTask close() {
        return CONTENT.getAndSet(this, Mark.CLOSED) instanceof RuntimeTask task ? task : null;
    }
}
