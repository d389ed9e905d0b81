// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A slot through which a thread hands one task to a polling worker. The polling worker opens its task slot before it
 * polls, and closes the task slot afterwards. Passing a task through the task slot costs the transfer of one cache line
 * between two processors, but acquires no lock. This class is thread-safe.
 */
final class TaskSlot {
    /** The content of a task slot without a task: OPEN while a worker polls the task slot, otherwise CLOSED. */
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

    /** Permits other threads to give a task to the calling worker. Returns false if another worker polls this slot. */
    boolean open() {
        return CONTENT.compareAndSet(this, Mark.CLOSED, Mark.OPEN);
    }

    /** Hands a task to the worker that polls this task slot; returns false if no worker polls it or a task is in it. */
    boolean offer(RuntimeTask task) {
        return content == Mark.OPEN && CONTENT.compareAndSet(this, Mark.OPEN, task);
    }

    /** Removes and returns a task that the worker has not fetched, or returns null. */
    @Nullable RuntimeTask steal() {
        return content instanceof RuntimeTask task && CONTENT.compareAndSet(this, task, Mark.CLOSED) ? task : null;
    }

    /** Returns whether the worker must stop polling: a task has arrived in this task slot, or the slot was closed. */
    boolean hasEnded() {
        return content != Mark.OPEN;
    }

    /** Closes the task slot. Returns the task that the task slot contained, or null. */
    @Nullable RuntimeTask close() {
        return CONTENT.getAndSet(this, Mark.CLOSED) instanceof RuntimeTask task ? task : null;
    }
}
