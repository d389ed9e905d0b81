// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The state of one use of a {@link UseGuard}; it determines how the use ends. A use is recorded in the guard's counter,
 * or in a flag that belongs to one thread (the thread's "mark" at the guard). Only its owner thread writes a mark, so
 * writing it needs no atomic operation. An inner use of the same thread must end before the outer use.
 */
public sealed class Use permits UseGuard {
    /** No use has begun, because the object is closed. */
    static final Use NONE = new Use(null);

    /** An inner use by a thread whose mark is already set by its outer use. */
    static final Use INNER = new Use(null);

    /** A use that is recorded in the guard's counter. */
    static final Use COUNTED = new Use(null);

    private static final VarHandle OWNER;
    private static final VarHandle OUTSIDE;

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

    /** The next older mark of the same guard, or null in the oldest mark and in the guard itself. */
    final @Nullable Use next;

    /** The thread that owns this mark, or null. The owner changes only after the previous owner thread has ended. */
    private @Nullable Thread owner;

    private long id;

    /**
     * The thread id of the owner while the mark is clear, and {@code NOBODY} while the mark is set. One comparison with
     * this field checks both the owner and that the mark is clear.
     */
    private long outside = NOBODY;

    Use(@Nullable Use next) {
        this.next = next;
    }

    /** Returns whether no use has begun, because the object is closed. */
    @SuppressWarnings("ReferenceEquality") // The constant is a singleton.
    public final boolean isNone() {
        return this == NONE;
    }

    /** Returns whether this state is the mark of a thread. For threads other than the owner, the result may be old. */
    @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
    final boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Returns whether a thread has ever owned this mark. */
    final boolean isTaken() {
        return OWNER.getAcquire(this) != null;
    }

    /** Assigns this mark to a thread if the mark has no owner, or if its owner thread has ended. */
    final boolean takeOver(Thread thread) {
        Thread before = (Thread) OWNER.getAcquire(this);
        if (before != null && before.isAlive() || !OWNER.compareAndSet(this, before, thread)) {
            return false;
        }
        id = thread.threadId();
        OUTSIDE.setOpaque(this, id);
        return true;
    }

    /** Returns whether the calling thread, whose id is passed, owns this mark, and the mark is clear. */
    final boolean isFree(long caller) {
        return outside == caller;
    }

    /**
     * Sets the mark; only the owner thread may call this method. The compiler does not move later memory accesses
     * before this store, but the processor may.
     */
    final void enter() {
        OUTSIDE.setOpaque(this, NOBODY);
    }

    /**
     * Clears the mark; only the owner thread may call this method. A thread that reads the cleared mark also sees all
     * earlier memory accesses of the mark's owner.
     */
    final void leave() {
        OUTSIDE.setRelease(this, id);
    }

    /** Returns whether the mark is set at the moment. Any thread may call this method if the mark has an owner. */
    final boolean isInside() {
        return (long) OUTSIDE.getAcquire(this) == NOBODY;
    }
}
