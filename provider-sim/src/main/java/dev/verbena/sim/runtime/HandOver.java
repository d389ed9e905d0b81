package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place for one task, which a thread that looks for one opens and closes, and others put it into: one cache line goes from the one
 * processor to the other, and no lock is wanted by both. Thread-safe.
 */
final class HandOver {
    /** What the place holds if not a task: nobody looks, or somebody does. */
    private enum Mark {
        CLOSED,
        OPEN
    }

    private static final VarHandle CONTENT;

    static {
        try {
            CONTENT = MethodHandles.lookup().findVarHandle(HandOver.class, "content", Object.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private volatile Object content = Mark.CLOSED;

    /** Lets a task be put here; false if somebody looks already. */
    boolean open() {
        return CONTENT.compareAndSet(this, Mark.CLOSED, Mark.OPEN);
    }

    /** Gives a task to who looks; false if nobody does, or there is one here already. */
    boolean offer(RuntimeTask task) {
        return content == Mark.OPEN && CONTENT.compareAndSet(this, Mark.OPEN, task);
    }

    /** Takes a task that who looks has not come to take; null if there is none. */
    @Nullable RuntimeTask steal() {
        return content instanceof RuntimeTask task && CONTENT.compareAndSet(this, task, Mark.CLOSED) ? task : null;
    }

    /** For who looks: whether there is a task, or the place was closed. */
    boolean hasEnded() {
        return content != Mark.OPEN;
    }

    /** Ends the look, and takes what was put here, if anything was. */
    @Nullable RuntimeTask close() {
        return CONTENT.getAndSet(this, Mark.CLOSED) instanceof RuntimeTask task ? task : null;
    }
}
