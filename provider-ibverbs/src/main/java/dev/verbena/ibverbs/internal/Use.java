// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The state of a use of a {@link UseGuard}, which determines how the use ends. A use is recorded by the guard's counter
 * or by a flag of the thread (its "mark" at the guard). Only one thread writes a mark, so the write needs no atomic
 * operation. A use inside another use of the same thread ends before the outer use.
 */
public sealed class Use permits UseGuard {
    /** The use did not begin, because the object is closed. */
    static final Use NONE = new Use(null);

    /** A use by a thread whose mark is already set by an outer use. */
    static final Use INNER = new Use(null);

    /** A use that the counter of the guard records. */
    static final Use COUNTED = new Use(null);

    private static final VarHandle OWNER;
    private static final VarHandle OUTSIDE;

    /** The id of no thread. */
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

    /**
     * The thread that has this mark; null before the first use. Another thread becomes the owner only after the
     * previous owner has ended.
     */
    private @Nullable Thread owner;

    private long id;

    /**
     * The owner's id while the mark is clear, and {@code NOBODY} while it is set. One comparison checks both the owner
     * and that the mark is clear.
     */
    private long outside = NOBODY;

    Use(@Nullable Use next) {
        this.next = next;
    }

    /** Returns whether the object is closed, so that no use of it began. */
    @SuppressWarnings("ReferenceEquality") // The constant is a singleton.
    public final boolean isNone() {
        return this == NONE;
    }

    /** Returns whether this is the mark of a thread. For another thread than the caller, the result may be outdated. */
    @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
    final boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Returns whether this mark was ever assigned to a thread. */
    final boolean isTaken() {
        return OWNER.getAcquire(this) != null;
    }

    /** Assigns this mark to a thread if it has no owner, or if its owner has ended. */
    final boolean takeOver(Thread thread) {
        Thread before = (Thread) OWNER.getAcquire(this);
        if (before != null && before.isAlive() || !OWNER.compareAndSet(this, before, thread)) {
            return false;
        }
        id = thread.threadId();
        OUTSIDE.setOpaque(this, id);
        return true;
    }

    /** Returns whether the calling thread, given by its id, owns this mark and the mark is clear. */
    final boolean isFree(long caller) {
        return outside == caller;
    }

    /**
     * Sets the mark, which only its owner may do. The compiler does not move later accesses before this store; the
     * processor may.
     */
    final void enter() {
        OUTSIDE.setOpaque(this, NOBODY);
    }

    /**
     * Clears the mark, which only its owner may do. A thread that reads the cleared mark sees all earlier memory
     * accesses of the owner.
     */
    final void leave() {
        OUTSIDE.setRelease(this, id);
    }

    /** Returns whether the mark is set. Any thread may call this on a mark that has an owner. */
    final boolean isInside() {
        return (long) OUTSIDE.getAcquire(this) == NOBODY;
    }
}
