package dev.verbena.ibverbs.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How a use of a {@link UseGuard} began, which says how it ends: not at all, counted, or by the mark that a thread has at the guard.
 * Only that thread writes the mark, and so without an atomic operation. A use inside of another one ends before that one.
 */
public sealed class Use permits UseGuard {
    /** It did not begin: the object is closed. */
    static final Use NONE = new Use(null);

    /** By a mark, inside of another use, which goes on for longer. */
    static final Use INNER = new Use(null);

    /** Counted. */
    static final Use COUNTED = new Use(null);

    private static final VarHandle OWNER;
    private static final VarHandle OUTSIDE;

    /** No thread's id. */
    private static final long NOBODY = 0;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OWNER = lookup.findVarHandle(Use.class, "owner", Thread.class);
            OUTSIDE = lookup.findVarHandle(Use.class, "outside", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The next mark at the same guard, unless this is the first one. */
    final @Nullable Use next;

    /** Nobody before the first use; becomes another one only after it has ended. */
    private @Nullable Thread owner;

    /** The owner's. */
    private long id;

    /** The owner's id while it is not inside, so that one look tells both whose mark this is and that it is free. */
    private long outside = NOBODY;

    /** A mark that nobody has yet. */
    Use(@Nullable Use next) {
        this.next = next;
    }

    /**
     * Tells whether the object is closed, so that no use of it began.
     *
     * @return whether it is
     */
    @SuppressWarnings("ReferenceEquality") // It is one of a kind.
    public final boolean isNone() {
        return this == NONE;
    }

    /** Whether this is a thread's mark; the answer is exact for the calling thread, if no other one is asked about. */
    @SuppressWarnings("ReferenceEquality") // A thread is itself.
    final boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Whether a thread has, or had, this mark. */
    final boolean isTaken() {
        return OWNER.getAcquire(this) != null;
    }

    /** Makes this the mark of another thread if nobody has it, or who had it has ended. */
    final boolean takeOver(Thread thread) {
        Thread before = (Thread) OWNER.getAcquire(this);
        if (before != null && before.isAlive() || !OWNER.compareAndSet(this, before, thread)) {
            return false;
        }
        id = thread.threadId();
        OUTSIDE.setOpaque(this, id);
        return true;
    }

    /** Whether this is the mark of the calling thread, of which the id is given, and that one is not inside. */
    final boolean isFree(long caller) {
        return outside == caller;
    }

    /** Sets the mark; by its owner. No access behind this goes before it in the compiler, which is all that holds it back. */
    final void enter() {
        OUTSIDE.setOpaque(this, NOBODY);
    }

    /** Takes the mark back; by its owner. What it did before is seen by whoever sees that. */
    final void leave() {
        OUTSIDE.setRelease(this, id);
    }

    /** Whether its owner is inside; by any thread, of a mark that is taken. */
    final boolean isInside() {
        return (long) OUTSIDE.getAcquire(this) == NOBODY;
    }
}
