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
    private static final int CLOSING = -1;
    private static final int CLOSED = -2;
    private static final long PAUSE_NANOS = 1_000;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(UseGuard.class, "users", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;

    /** Calls in flight, or one of the two negative states. */
    private volatile int users;

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

    /** Ends one use. */
    public final void exit() {
        USERS.getAndAdd(this, -1);
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
