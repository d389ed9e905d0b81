package dev.verbena.ibverbs.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How a use of a {@link UseGuard} began, which says how it ends: not at all, counted, or by the mark that a thread has at the guard.
 * Only that thread writes the mark, and so without an atomic operation.
 */
public final class Use {
    /** It did not begin: the object is closed. */
    public static final Use NONE = new Use(null, null);

    /** Counted. */
    static final Use COUNTED = new Use(null, null);

    private static final VarHandle OWNER;
    private static final VarHandle DEPTH;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OWNER = lookup.findVarHandle(Use.class, "owner", Thread.class);
            DEPTH = lookup.findVarHandle(Use.class, "depth", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The next mark at the same guard. */
    final @Nullable Use next;

    /** Becomes another one only after it has ended. */
    private @Nullable Thread owner;

    /** How many uses the owner is in, one inside of the other. */
    private int depth;

    /** A mark for a thread. */
    Use(@Nullable Thread owner, @Nullable Use next) {
        this.owner = owner;
        this.next = next;
    }

    /** Whether this is a thread's mark; the answer is exact for the calling thread, if no other one is asked about. */
    @SuppressWarnings("ReferenceEquality") // A thread is itself.
    boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Makes this the mark of another thread if the one that had it has ended. */
    boolean takeOver(Thread thread) {
        Thread before = (Thread) OWNER.getAcquire(this);
        return before != null && !before.isAlive() && OWNER.compareAndSet(this, before, thread);
    }

    /** Sets the mark; by its owner. No access behind this goes before it in the compiler, which is all that holds it back. */
    void enter() {
        DEPTH.setOpaque(this, depth + 1);
    }

    /** Takes the mark back; by its owner. What it did before is seen by whoever sees that. */
    void leave() {
        DEPTH.setRelease(this, depth - 1);
    }

    /** Whether its owner is inside of another use; asked by the owner, after {@link #enter}. */
    boolean isNested() {
        return depth > 1;
    }

    /** Whether its owner is inside; by any thread. */
    boolean isInside() {
        return (int) DEPTH.getAcquire(this) != 0;
    }
}
