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
 * Guards a native object: the object is destroyed only while no thread uses it, and no thread uses it afterwards. A
 * thread announces its use of the native object by a counter or by a use flag. The counter costs one atomic operation
 * before each use of the native object, and one after it. A use flag is set only by the thread that owns the flag, so
 * setting the flag needs no atomic operation. Only the first few threads that call {@link #begin} own a use flag; all
 * other threads use the counter. A thread that closes the object needs a {@link ProcessBarrier} to see every use flag
 * that is set. The first thread uses the guard object itself as its use flag, which saves the access to a second
 * object. A thread allocates memory only for its first use of a guarded object. Thread-safe.
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

    /** Counts present uses that {@link #tryEnter} began. The value is CLOSING during a close, and CLOSED after a close. */
    private volatile int users;

    /**
     * The use flags of all threads except the first thread, as a list that starts with the newest flag. A thread adds
     * its use flag to this list, and no thread removes a use flag.
     */
    private volatile @Nullable Use marks;

    @FunctionalInterface
    public interface Ending {
        /** Destroys the object. If this method throws, the object stays open. */
        void end() throws VerbsException;
    }

    public UseGuard(String name) {
        this(name, ProcessBarrier::here);
    }

    /**
     * Creates a guard for a native object. {@code barrier} returns the memory barrier for all threads of the process. The
     * guard never calls {@code barrier} before the first {@link #begin}.
     */
    UseGuard(String name, Supplier<Optional<ProcessBarrier>> barrier) {
        super(null);
        this.name = name;
        this.barrier = barrier;
    }

    /**
     * Increases the counter of users, so that the object stays open until {@link #exit}. Returns false if the object is
     * closed. If another thread is closing the object, this method waits until that thread has finished.
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

    /** Begins a counted use of the object. Throws {@link IllegalStateException} if the object is closed. */
    public final void requireEnter() {
        if (!tryEnter()) {
            throw closed();
        }
    }

    /** Decrements the counter of users. {@link #tryEnter} and {@link #requireEnter} increment this counter. */
    public final void exit() {
        USERS.getAndAdd(this, -1);
    }

    /**
     * Like {@link #tryEnter}, prevents the destruction of the native object, but usually without an atomic operation. A
     * thread whose use flag is set may call {@code begin} again, even while another thread is closing the guarded
     * object. After its use of the object, the thread must pass the returned {@code Use} to {@link #done}.
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
        // A closing thread sets the user count to CLOSING, executes a memory barrier in all threads, and then reads all
        // use flags. If this thread reads a user count of 0 or more, the barrier of any closing thread comes later. The
        // barrier makes the use flag of this thread visible to the closing thread.
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
        // Without this fence, `begin` could read an old `users`, and a closing thread could miss the use flag.
        VarHandle.fullFence();
        return begin(mark);
    }

    /** Announces that the thread no longer uses the object. The argument {@code use} is the result of {@link #begin}. */
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
     * Destroys the object, after all uses have ended. If the destruction fails, the object stays open. Returns false if the
     * object was already closed. Throws {@link IllegalStateException} if the calling thread is between {@link #begin} and
     * {@link #done}. If the calling thread itself has increased the counter of users, this method never returns. The guard
     * cannot detect that the calling thread is a counted user, because the counter does not identify threads.
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

    /** Waits until each thread that uses the native object has cleared its use flag. */
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
