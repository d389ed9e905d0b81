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
 * Guards a native object: no thread uses the object after its destruction, and the object is destroyed only while no
 * thread uses it. A counted use costs one atomic operation when it begins, and one when it ends. Each of the first
 * threads that call {@link #begin} gets a mark instead of a counted use, and the thread sets and clears the mark
 * without atomic operations. The thread that closes the object then needs a {@link ProcessBarrier}. The guard itself is
 * the mark of the first thread, so that this thread, often the only one, accesses no further object. After its first
 * use, a thread allocates no memory for further uses. Thread-safe.
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

    /** The number of counted uses that have not ended, or a negative number for the states CLOSING and CLOSED. */
    private volatile int users;

    /** The marks of all threads except the first one, newest mark first. Marks are added and never removed. */
    private volatile @Nullable Use marks;

    @FunctionalInterface
    public interface Ending {
        /** Destroys the object. If this method throws, the object stays open. */
        void end() throws VerbsException;
    }

    public UseGuard(String name) {
        this(name, ProcessBarrier::here);
    }

    /** Creates a guard whose barrier comes from a supplier; the first call of {@link #begin} calls the supplier. */
    UseGuard(String name, Supplier<Optional<ProcessBarrier>> barrier) {
        super(null);
        this.name = name;
        this.barrier = barrier;
    }

    /**
     * Begins a counted use of the object, and returns false if the object is closed. If another thread is closing the
     * object, this method waits until that thread has finished.
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

    /** Ends a counted use, which {@link #tryEnter} or {@link #requireEnter} began. */
    public final void exit() {
        USERS.getAndAdd(this, -1);
    }

    /**
     * Begins a use of the object, like {@link #tryEnter}, for calls in which the cost of an atomic operation matters. A
     * thread whose mark is set may call this method again for an inner use, even while another thread is closing the
     * object. The same thread must pass the returned state to {@link #done}.
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
        // The closing thread first sets CLOSING, then executes a barrier in all threads, and then reads the marks. If a
        // thread reads USERS too early to see CLOSING, the closing thread sees that this thread's mark is set.
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
        // Either the closing thread sees the new mark, or the thread with the new mark sees CLOSING.
        VarHandle.fullFence();
        return begin(mark);
    }

    /** Ends the use whose state {@link #begin} returned. */
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

    /** Returns the exception for an attempt to use the closed object. */
    public final IllegalStateException closed() {
        return new IllegalStateException(name + " is closed");
    }

    /**
     * Destroys the object, after all uses have ended. If the destruction fails, the object stays open. Returns false if
     * the object was already closed. Throws {@link IllegalStateException} if the calling thread itself uses the object,
     * and the use is recorded in a mark. If the calling thread itself has a counted use, this method never returns,
     * because the guard does not know the threads of counted uses.
     */
    public final boolean end(Ending ending) throws VerbsException {
        Use own = markOf(Thread.currentThread());
        if (own != null && own.isInside()) {
            throw new IllegalStateException(
                    name + " cannot be closed from inside of a call on it; close it when that has returned");
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

    /** Waits until the marks of all threads are clear. */
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
