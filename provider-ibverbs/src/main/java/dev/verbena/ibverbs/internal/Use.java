// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link UseGuard#begin}: it shows how a thread has marked its native call with a C object as in progress.
 * The thread has either incremented the counter of the {@link UseGuard}, or set its own flag (an "in-use flag"). Only its
 * owner thread writes an in-use flag, so setting the flag needs no atomic operation. If a thread nests calls of {@link
 * UseGuard#begin}, the thread must call {@link UseGuard#done} for the inner call first.
 */
public sealed class Use permits UseGuard {
    /** The result of {@link UseGuard#begin} if the C object is already destroyed. */
    static final Use NONE = new Use(null);

    /** The result of a nested {@link UseGuard#begin}, which found the in-use flag of the thread already set. */
    static final Use INNER = new Use(null);

    /** The result of {@link UseGuard#begin} if the thread has incremented the counter of the {@link UseGuard}. */
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

    /** The in-use flag that was added to the same {@link UseGuard} before this flag; null if no flag was added earlier. */
    final @Nullable Use next;

    /**
     * The thread that owns this in-use flag, or null. An in-use flag gets a new owner only after its previous owner thread
     * has exited.
     */
    private @Nullable Thread owner;

    private long id;

    /**
     * If the owner thread has cleared this in-use flag, {@code outside} contains the owner's thread id. If the owner thread
     * has set this in-use flag, {@code outside} is {@code NOBODY}. If {@code outside} equals the id of a thread, this
     * thread owns the in-use flag, and the flag is clear.
     */
    private long outside = NOBODY;

    Use(@Nullable Use next) {
        this.next = next;
    }

    /** Returns whether the C object was already destroyed. A thread must not use a destroyed C object. */
    @SuppressWarnings("ReferenceEquality") // The constant is a singleton.
    public final boolean isNone() {
        return this == NONE;
    }

    /**
     * Returns whether {@code thread} owns this in-use flag. The result may be outdated unless the calling thread owns this
     * in-use flag.
     */
    @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
    final boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Returns whether a thread has ever owned this in-use flag. */
    final boolean isTaken() {
        return OWNER.getAcquire(this) != null;
    }

    /** Makes {@code thread} the owner of this in-use flag if the flag has no owner, or if the owner thread has exited. */
    final boolean takeOver(Thread thread) {
        Thread before = (Thread) OWNER.getAcquire(this);
        if (before != null && before.isAlive() || !OWNER.compareAndSet(this, before, thread)) {
            return false;
        }
        id = thread.threadId();
        OUTSIDE.setOpaque(this, id);
        return true;
    }

    /** Returns whether this in-use flag is clear and owned by the thread with the id {@code caller}. */
    final boolean isFree(long caller) {
        return outside == caller;
    }

    /**
     * Sets this in-use flag; only the owner thread of the flag may call {@code enter}. The compiler does not move later
     * memory accesses before this store, but the processor may.
     */
    final void enter() {
        OUTSIDE.setOpaque(this, NOBODY);
    }

    /**
     * Clears this in-use flag; only the owner thread of the flag may call {@code leave}. A thread that reads this in-use
     * flag as clear also sees all earlier memory accesses of the owner thread.
     */
    final void leave() {
        OUTSIDE.setRelease(this, id);
    }

    /** Returns whether this in-use flag is set. Any thread may call {@code isInside} if the flag has an owner. */
    final boolean isInside() {
        return (long) OUTSIDE.getAcquire(this) == NOBODY;
    }
}
