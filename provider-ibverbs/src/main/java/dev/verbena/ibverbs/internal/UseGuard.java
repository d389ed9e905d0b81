package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.VerbsException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Guards an object of a library: nobody gets to it after it was destroyed, and it is destroyed only while nobody uses it.
 * Entering and leaving cost one atomic operation each and allocate nothing. May be used from several threads.
 */
public class UseGuard {
    private static final VarHandle USERS;
    private static final VarHandle SOLE;
    private static final int CLOSING = -1;
    private static final int CLOSED = -2;
    private static final long PAUSE_NANOS = 1_000;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            USERS = lookup.findVarHandle(UseGuard.class, "users", int.class);
            SOLE = lookup.findVarHandle(UseGuard.class, "sole", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;

    /** Calls in flight, or one of the two negative states. */
    private volatile int users;

    /** Somebody is in by {@link #begin} without being counted; he alone resets this, for which no atomic operation is needed. */
    private volatile boolean sole;

    /** How a use began, which says how it ends. */
    public enum Use {
        /** It did not: the object is closed. */
        NONE,
        /** As the only one of its kind. */
        SOLE,
        /** Counted. */
        COUNTED
    }

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
        this.name = name;
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
     * Takes the object into use, as {@link #tryEnter} does, for calls so short that each atomic operation counts: as long as only
     * one thread at a time does so, it and {@link #done} need one in all.
     *
     * @return what {@link #done} is to be told
     */
    public final Use begin() {
        if (SOLE.compareAndSet(this, false, true)) {
            // Whoever closes the object first says so, and then waits for the flag: one of the two sees the other.
            if (users >= 0) {
                return Use.SOLE;
            }
            SOLE.setRelease(this, false);
        }
        return tryEnter() ? Use.COUNTED : Use.NONE;
    }

    /**
     * Ends a use.
     *
     * @param use what {@link #begin} answered
     */
    public final void done(Use use) {
        switch (use) {
            case SOLE -> SOLE.setRelease(this, false);
            case COUNTED -> exit();
            case NONE -> {
                // There is nothing to end.
            }
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
     */
    public final boolean end(Ending ending) throws VerbsException {
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
        while (sole) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        boolean destroyed = false;
        try {
            ending.end();
            destroyed = true;
        } finally {
            users = destroyed ? CLOSED : 0;
        }
        return true;
    }

    @Override
    public final String toString() {
        return name;
    }
}
