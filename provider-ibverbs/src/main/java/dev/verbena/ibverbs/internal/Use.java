// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link UseGuard#begin}: it shows how a thread has announced that it uses a native object. The thread
 * has either increased the guard's counter, or set a flag that belongs to this thread (a "use flag"). Only the owner
 * thread of a use flag writes the flag, so setting the flag needs no atomic operation. If a thread begins to use an
 * object that it already uses, the inner use must end before the outer use.
 */
public sealed class Use permits UseGuard {
    /** The result of {@link UseGuard#begin} if the native object is closed. */
    static final Use NONE = new Use(null);

    /** The thread began to use an object that it already uses, so its use flag was already set. */
    static final Use INNER = new Use(null);

    /** The thread that uses the native object has increased the counter of users in the {@link UseGuard}. */
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

    /**
     * The use flag that was added to the same {@link UseGuard} before this use flag; null if no use flag was added earlier.
     */
    final @Nullable Use next;

    /**
     * The thread that owns this use flag, or null. A use flag gets a new owner only after its previous owner thread has
     * ended.
     */
    private @Nullable Thread owner;

    private long id;

    /**
     * If the owner of this use flag has cleared the flag, {@code outside} contains the owner's thread id. If the owner of
     * this use flag has set the flag, {@code outside} is {@code NOBODY}. If {@code outside} equals the id of a thread, the
     * thread owns this use flag, and the flag is clear.
     */
    private long outside = NOBODY;

    Use(@Nullable Use next) {
        this.next = next;
    }

    /** Returns whether the native object was closed. A thread must not use a closed native object. */
    @SuppressWarnings("ReferenceEquality") // The constant is a singleton.
    public final boolean isNone() {
        return this == NONE;
    }

    /**
     * Returns whether {@code thread} owns this use flag. The result may be outdated unless the calling thread owns this
     * use flag.
     */
    @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
    final boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Returns whether a thread has ever owned this use flag. */
    final boolean isTaken() {
        return OWNER.getAcquire(this) != null;
    }

    /** Makes {@code thread} the owner of this use flag if the flag has no owner, or if the owner thread has ended. */
    final boolean takeOver(Thread thread) {
        Thread before = (Thread) OWNER.getAcquire(this);
        if (before != null && before.isAlive() || !OWNER.compareAndSet(this, before, thread)) {
            return false;
        }
        id = thread.threadId();
        OUTSIDE.setOpaque(this, id);
        return true;
    }

    /** Returns whether this flag is clear and belongs to the thread with the id {@code caller}. */
    final boolean isFree(long caller) {
        return outside == caller;
    }

    /**
     * Sets this use flag; only the owner thread may call this method. The compiler does not move later memory accesses
     * before this store, but the processor may.
     */
    final void enter() {
        OUTSIDE.setOpaque(this, NOBODY);
    }

    /**
     * Clears this use flag; only the thread that owns the flag may call {@code leave}. If a thread reads that the use
     * flag is clear, it also sees all earlier memory accesses of the flag's owner.
     */
    final void leave() {
        OUTSIDE.setRelease(this, id);
    }

    /** Returns whether {@link #enter} has set this use flag. Any thread may call {@code isInside} on an owned use flag. */
    final boolean isInside() {
        return (long) OUTSIDE.getAcquire(this) == NOBODY;
    }
}
