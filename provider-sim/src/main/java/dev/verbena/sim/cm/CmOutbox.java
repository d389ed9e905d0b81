package dev.verbena.sim.cm;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one lock of a connection manager, and what has to be done after it was released.
 *
 * <p>Everything a connection manager knows is guarded by this lock. Sending a MAD may bring the answer back before it
 * returns, moving a queue pair may wait for a task that is about to deliver a MAD, and a handler may do anything: none of
 * these is done with the lock held. They are {@linkplain #later noted} under the lock, and carried out one after the other,
 * in the order in which they were noted, by whoever comes out of the lock first. A thread that notes something while
 * another carries out leaves it to that one; a call from inside an action leaves it to the loop that runs the action, so
 * that two managers that answer each other in one thread do not recurse. An action that throws delays no other: the loop
 * carries out the rest and then throws what the first one threw.
 */
final class CmOutbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> actions = new ArrayDeque<>();
    private boolean carryingOut;

    /** Something to be done under the lock. */
    @FunctionalInterface
    interface Body<T extends @Nullable Object, E extends Exception> {
        T run() throws E;
    }

    /** Something to be done under the lock that has no result. */
    @FunctionalInterface
    interface VoidBody<E extends Exception> {
        void run() throws E;
    }

    <E extends Exception> void run(VoidBody<E> body) throws E {
        this.<@Nullable Void, E>call(() -> {
            body.run();
            return null;
        });
    }

    <T extends @Nullable Object, E extends Exception> T call(Body<T, E> body) throws E {
        lock.lock();
        try {
            return body.run();
        } finally {
            carryOut();
            lock.unlock();
        }
    }

    /** Notes something to be done without the lock; to be called under it. */
    void later(Runnable action) {
        actions.add(action);
    }

    private void carryOut() {
        if (carryingOut || lock.getHoldCount() > 1) {
            return;
        }
        carryingOut = true;
        try {
            carryOutNext();
        } finally {
            carryingOut = false;
        }
    }

    private void carryOutNext() {
        Throwable failure = null;
        for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
            lock.unlock();
            try {
                action.run();
            } catch (RuntimeException | Error thrown) {
                failure = failure == null ? thrown : withSuppressed(failure, thrown);
            } finally {
                lock.lock();
            }
        }
        switch (failure) {
            case null -> {}
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new IllegalStateException("an action threw a checked exception", failure);
        }
    }

    /** One object may be thrown again and again, as the virtual machine does with its OutOfMemoryError. */
    private static Throwable withSuppressed(Throwable first, Throwable further) {
        if (!first.equals(further)) {
            first.addSuppressed(further);
        }
        return first;
    }
}
