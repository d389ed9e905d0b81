// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * How a use of a {@link UseGuard} began, which determines how it ends: not at all, counted, or by the mark that a
 * thread has at the guard. Only that thread writes the mark, and so without an atomic operation. A use inside of
 * another one ends before that one.
 */
public sealed class Use permits UseGuard {
    /** The use did not begin: the object is closed. */
    static final Use NONE = new Use(null);

    /** A use by a mark, inside another use of the same thread that ends later. */
    static final Use INNER = new Use(null);

    /** A use that the counter of the guard records. */
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

    /** The next mark of the same guard; null in the oldest one and in the guard itself. */
    final @Nullable Use next;

    /** The thread that has this mark; null before the first use. Replaced only after that thread has ended. */
    private @Nullable Thread owner;

    /** The thread id of the owner. */
    private long id;

    /**
     * The owner's id while the owner is not inside, so that one comparison checks both the owner and that the mark is
     * free.
     */
    private long outside = NOBODY;

    /** Makes a mark without an owner. */
    Use(@Nullable Use next) {
        this.next = next;
    }

    /**
     * Returns whether the object is closed, so that no use of it began.
     *
     * @return whether it is
     */
    @SuppressWarnings("ReferenceEquality") // The constant is a singleton.
    public final boolean isNone() {
        return this == NONE;
    }

    /** Returns whether this is a thread's mark. The result is exact only for the calling thread. */
    @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
    final boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Returns whether this mark was ever assigned to a thread. */
    final boolean isTaken() {
        return OWNER.getAcquire(this) != null;
    }

    /** Makes this the mark of a thread if it has no owner, or if its owner has ended. */
    final boolean takeOver(Thread thread) {
        Thread before = (Thread) OWNER.getAcquire(this);
        if (before != null && before.isAlive() || !OWNER.compareAndSet(this, before, thread)) {
            return false;
        }
        id = thread.threadId();
        OUTSIDE.setOpaque(this, id);
        return true;
    }

    /** Returns whether the calling thread, given by its id, has this mark and is not inside. */
    final boolean isFree(long caller) {
        return outside == caller;
    }

    /**
     * Sets the mark; called by its owner. The compiler does not move later accesses before this store; the processor
     * may.
     */
    final void enter() {
        OUTSIDE.setOpaque(this, NOBODY);
    }

    /**
     * Clears the mark; called by its owner. A thread that sees the cleared mark sees all earlier accesses of the owner.
     */
    final void leave() {
        OUTSIDE.setRelease(this, id);
    }

    /** Returns whether the owner is inside. Any thread may call this on a mark that has an owner. */
    final boolean isInside() {
        return (long) OUTSIDE.getAcquire(this) == NOBODY;
    }
}
