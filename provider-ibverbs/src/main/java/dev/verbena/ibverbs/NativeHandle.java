package dev.verbena.ibverbs;

import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A pointer to an object of the library, guarded: nobody gets it after the object was destroyed, and it is destroyed only while
 * nobody uses it. Entering and leaving cost one atomic operation each and allocate nothing. May be used from several threads.
 */
final class NativeHandle {
    private static final VarHandle USERS;
    private static final int CLOSING = -1;
    private static final int CLOSED = -2;
    private static final long PAUSE_NANOS = 1_000;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(NativeHandle.class, "users", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    private final MemorySegment pointer;

    /** Calls in flight, or one of the two negative states. */
    private volatile int users;

    /** What destroys the object. */
    @FunctionalInterface
    interface Destruction {
        void destroy(MemorySegment pointer) throws VerbsException;
    }

    NativeHandle(String name, MemorySegment pointer) {
        this.name = name;
        this.pointer = pointer;
    }

    /** The pointer without a guard: for reading what never changes, and for naming the object to others. */
    MemorySegment pointer() {
        return pointer;
    }

    /** Takes the pointer into use; false if the object is closed. While it is being closed this waits for the outcome. */
    boolean tryEnter() {
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
     * Takes the pointer into use.
     *
     * @throws IllegalStateException if the object is closed
     */
    MemorySegment enter() {
        if (!tryEnter()) {
            throw closed();
        }
        return pointer;
    }

    /** Ends one use. */
    void exit() {
        USERS.getAndAdd(this, -1);
    }

    boolean isClosed() {
        return users == CLOSED;
    }

    IllegalStateException closed() {
        return new IllegalStateException(name + " is closed");
    }

    /**
     * Destroys the object once nobody uses the pointer any more; if that fails it stays open.
     *
     * @return false if it was closed before
     */
    boolean close(Destruction destruction) throws VerbsException {
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
            destruction.destroy(pointer);
            destroyed = true;
        } finally {
            users = destroyed ? CLOSED : 0;
        }
        return true;
    }

    @Override
    public String toString() {
        return name;
    }
}
