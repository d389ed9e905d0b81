package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.VerbsException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards an object of a library: nobody gets to it after it was destroyed, and it is destroyed only while nobody uses it. Uses are
 * counted by an atomic operation when they begin and one when they end; the threads that come first to {@link #begin} have a mark
 * each instead, which they set and take back without any, while who closes pays for a {@link ProcessBarrier}. The guard itself is
 * the mark of the very first, so that this one, often the only one, has no other object to look at. Nothing is allocated after a
 * thread's first use. May be used from several threads.
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

    /** Counted calls in flight, or one of the two negative states. */
    private volatile int users;

    /** Those of the threads that came after the first, the last one of them in front; only added to. */
    private volatile @Nullable Use marks;

    /** What destroys the object. */
    @FunctionalInterface
    public interface Ending {
        /**
         * Destroys it.
         *
         * @throws VerbsException if it cannot be destroyed, and stays open
         */
        void end() throws VerbsException;
    }

    /**
     * Guards an open object.
     *
     * @param name of the object, for messages
     */
    public UseGuard(String name) {
        this(name, ProcessBarrier::here);
    }

    /** With a barrier of one's own; it is asked for by the first {@link #begin}. */
    UseGuard(String name, Supplier<Optional<ProcessBarrier>> barrier) {
        super(null);
        this.name = name;
        this.barrier = barrier;
    }

    /**
     * Takes the object into use. While it is being closed this waits for the outcome.
     *
     * @return false if it is closed
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

    /**
     * Takes the object into use.
     *
     * @throws IllegalStateException if it is closed
     */
    public final void requireEnter() {
        if (!tryEnter()) {
            throw closed();
        }
    }

    /** Ends one use that {@link #tryEnter} or {@link #requireEnter} began. */
    public final void exit() {
        USERS.getAndAdd(this, -1);
    }

    /**
     * Takes the object into use, as {@link #tryEnter} does, for calls so short that each atomic operation counts. A thread that is
     * inside by this may call it again whatever happens to the object meanwhile.
     *
     * @return what {@link #done} is to be told, by the same thread
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
        // Whoever closes says so first and then looks for marks, with a barrier in all threads between the two.
        // So if this is too early to see him, the mark was set early enough for him.
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
        // Who closes sees the new mark, or is seen.
        VarHandle.fullFence();
        return begin(mark);
    }

    /**
     * Ends a use.
     *
     * @param use what {@link #begin} answered
     */
    @SuppressWarnings("ReferenceEquality") // These two are one of a kind.
    public final void done(Use use) {
        if (use == this) {
            leave();
        } else if (use == Use.COUNTED) {
            exit();
        } else if (use != Use.NONE && use != Use.INNER) {
            use.leave();
        }
    }

    /**
     * Tells whether the object is closed.
     *
     * @return whether it is
     */
    public final boolean isClosed() {
        return users == CLOSED;
    }

    /**
     * Says that the object is closed.
     *
     * @return the exception to throw
     */
    public final IllegalStateException closed() {
        return new IllegalStateException(name + " is closed");
    }

    /**
     * Destroys the object once nobody uses it any more; if that fails it stays open.
     *
     * @param ending what destroys it
     * @return false if it was closed before
     * @throws VerbsException as the ending
     * @throws IllegalStateException if this thread itself uses it, by a mark; whose a counted use is nobody knows, and so inside of
     *     one of its own a thread still waits for itself
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

    /** Waits until nobody is inside by a mark. */
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
