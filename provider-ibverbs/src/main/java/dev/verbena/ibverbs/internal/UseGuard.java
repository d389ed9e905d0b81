// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.VerbsException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards a C object, such as a {@code struct ibv_qp}: the C object is destroyed only while no thread uses it, and no thread
 * uses it afterwards. A thread marks its native call with the C object as in progress, by a counter or by its own in-use
 * flag. The counter costs one atomic operation before each native call, and one after it. Only its owner thread writes an
 * in-use flag, so setting the flag needs no atomic operation. At most {@code 1 + MOST_FURTHER_MARKS} threads own an in-use
 * flag; all other threads use the counter. A thread that destroys the C object needs a {@link ProcessBarrier} to see every
 * in-use flag that is set. The in-use flag of the first thread is in the {@code UseGuard} itself, which saves the access to
 * a second Java object. A thread with an in-use flag allocates memory only in its first {@link #begin}. Thread-safe.
 */
public non-sealed class UseGuard extends Use {
    private static final VarHandle USERS;
    private static final VarHandle MARKS;
    private static final int CLOSING = -1;
    private static final int CLOSED = -2;
    private static final int MOST_FURTHER_MARKS = 3;
    private static final long PAUSE_NANOS = 1_000;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            USERS = lookup.findVarHandle(UseGuard.class, "users", int.class);
            MARKS = lookup.findVarHandle(UseGuard.class, "marks", Use.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    private final Supplier<Optional<ProcessBarrier>> barrier;

    /** The number of calls in progress that {@link #tryEnter} counted; CLOSING during {@link #end}, and CLOSED after it. */
    private volatile int users;

    /**
     * The in-use flags of all threads except the first thread, as a list that starts with the newest flag. A thread adds
     * its in-use flag to this list, and no thread removes an in-use flag.
     */
    private volatile @Nullable Use marks;

    @FunctionalInterface
    public interface Ending {
        /** Destroys the C object. If this method throws, threads can still use the C object. */
        void end() throws VerbsException;
    }

    public UseGuard(String name) {
        this(name, ProcessBarrier::here);
    }

    /**
     * Creates a {@code UseGuard} for a C object. {@code barrier} returns the memory barrier for all threads of the process.
     * No method calls {@code barrier} before the first {@link #begin}.
     */
    UseGuard(String name, Supplier<Optional<ProcessBarrier>> barrier) {
        super(null);
        this.name = name;
        this.barrier = barrier;
    }

    /**
     * Counts a call in progress, so that no thread destroys the C object before {@link #exit}. Returns false if the C
     * object is destroyed. If another thread is destroying the C object, this method waits until that thread has finished.
     */
    public final boolean tryEnter() {
        while (true) {
            int now = users;
            if (now == CLOSED) {
                return false;
            }
            if (now == CLOSING) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else if (USERS.compareAndSet(this, now, now + 1)) {
                return true;
            }
        }
    }

    /** Like {@link #tryEnter}, but throws {@link IllegalStateException} if the C object is destroyed. */
    public final void requireEnter() {
        if (!tryEnter()) {
            throw closed();
        }
    }

    /** Decrements the counter of calls in progress, which {@link #tryEnter} and {@link #requireEnter} increment. */
    public final void exit() {
        USERS.getAndAdd(this, -1);
    }

    /**
     * Like {@link #tryEnter}, prevents the destruction of the C object, but usually without an atomic operation. A thread
     * whose in-use flag is set may call {@code begin} again, even while another thread is in {@link #end}. After its native
     * call with the C object, the thread must pass the returned {@code Use} to {@link #done}.
     */
    public final Use begin() {
        Thread self = Thread.currentThread();
        if (isFree(self.threadId())) {
            return begin(this);
        }
        Use mark = markOf(self);
        if (mark == null) {
            return beginAsStranger(self);
        }
        return mark.isInside() ? Use.INNER : begin(mark);
    }

    private @Nullable Use markOf(Thread self) {
        if (isOf(self)) {
            return this;
        }
        Use mark = (Use) MARKS.getAcquire(this);
        while (mark != null && !mark.isOf(self)) {
            mark = mark.next;
        }
        return mark;
    }

    private Use begin(Use mark) {
        mark.enter();
        // A thread in `end` sets `users` to CLOSING, executes a memory barrier in all threads, and then reads all
        // in-use flags. If this thread reads `users` as 0 or more, the barrier of any thread in `end` comes later. The
        // barrier makes the in-use flag of this thread visible to the thread in `end`.
        if ((int) USERS.getAcquire(this) >= 0) {
            return mark;
        }
        mark.leave();
        return count();
    }

    private Use count() {
        return tryEnter() ? Use.COUNTED : Use.NONE;
    }

    private Use beginAsStranger(Thread self) {
        if (barrier.get().isEmpty()) {
            return count();
        }
        if (takeOver(self)) {
            return begin(this);
        }
        Use first = marks;
        int there = 0;
        for (Use mark = first; mark != null; mark = mark.next) {
            if (mark.takeOver(self)) {
                return begin(mark);
            }
            there++;
        }
        Use mark = new Use(first);
        if (there == MOST_FURTHER_MARKS || !mark.takeOver(self) || !MARKS.compareAndSet(this, first, mark)) {
            return count();
        }
        // Without this fence, `begin` could read an old `users`, and a thread in `end` could miss the in-use flag.
        VarHandle.fullFence();
        return begin(mark);
    }

    /** Marks the calling thread's native call as no longer in progress. {@code use} is the result of {@link #begin}. */
    @SuppressWarnings("ReferenceEquality") // The constants are singletons.
    public final void done(Use use) {
        if (use == this) {
            leave();
        } else if (use == Use.COUNTED) {
            exit();
        } else if (use != Use.NONE && use != Use.INNER) {
            use.leave();
        }
    }

    public final boolean isClosed() {
        return users == CLOSED;
    }

    public final IllegalStateException closed() {
        return new IllegalStateException(name + " is closed");
    }

    /**
     * Destroys the C object after all calls in progress have returned. If the destruction fails, threads can still use the
     * C object. Returns false if the C object was already destroyed. Throws {@link IllegalStateException} if the in-use
     * flag of the calling thread is set. {@code end} never returns if the calling thread has incremented the counter, by
     * {@link #tryEnter} or {@link #begin}, because the counter does not identify threads.
     */
    public final boolean end(Ending ending) throws VerbsException {
        Use own = markOf(Thread.currentThread());
        if (own != null && own.isInside()) {
            throw new IllegalStateException(
                    name + " cannot be closed from inside a call on it; close it after that call");
        }
        while (true) {
            int now = users;
            if (now == CLOSED) {
                return false;
            }
            if (now == 0 && USERS.compareAndSet(this, 0, CLOSING)) {
                break;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        boolean destroyed = false;
        try {
            awaitMarks();
            ending.end();
            destroyed = true;
        } finally {
            users = destroyed ? CLOSED : 0;
        }
        return true;
    }

    /** Waits until every thread has cleared its in-use flag. */
    private void awaitMarks() {
        VarHandle.fullFence();
        if (!isTaken()) {
            return;
        }
        barrier.get().orElseThrow().pass();
        await(this);
        for (Use mark = marks; mark != null; mark = mark.next) {
            await(mark);
        }
    }

    private static void await(Use mark) {
        while (mark.isInside()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public final String toString() {
        return name;
    }
}
