// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place for one task. A worker opens it while it polls for a task, other threads put one in, and the worker closes
 * it. The task costs the transfer of one cache line between two processors, and no lock that both threads contend for.
 * Thread-safe.
 */
final class TaskSlot {
    /** The content other than a task. OPEN: a worker polls for a task. CLOSED: none does. */
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

    /** Opens the place for a task; false if a worker already polls here. */
    boolean open() {
        return CONTENT.compareAndSet(this, Mark.CLOSED, Mark.OPEN);
    }

    /** Hands a task to the polling worker; false if there is none, or if a task is already here. */
    boolean offer(RuntimeTask task) {
        return content == Mark.OPEN && CONTENT.compareAndSet(this, Mark.OPEN, task);
    }

    /** Takes a task that the worker has not fetched; null if there is none. */
    @Nullable RuntimeTask steal() {
        return content instanceof RuntimeTask task && CONTENT.compareAndSet(this, task, Mark.CLOSED) ? task : null;
    }

    /** For the polling worker: returns whether a task has arrived, or the place was closed. */
    boolean hasEnded() {
        return content != Mark.OPEN;
    }

    /** Closes the place, and takes the task that was put here; null if there is none. */
    @Nullable RuntimeTask close() {
        return CONTENT.getAndSet(this, Mark.CLOSED) instanceof RuntimeTask task ? task : null;
    }
}
