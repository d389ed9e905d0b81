// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The only lock of a connection manager, which guards all state of the manager, and a queue of actions to run after the lock is
 * released.
 *
 * <p>Three operations must not run with the lock held. Sending a MAD may deliver the answer before the call returns. Modifying
 * a queue pair may wait for a task that is about to deliver a MAD. An event handler may run any code. Code under the lock passes
 * these three operations to {@link #afterUnlock}; the first thread that releases the lock runs them in order.
 *
 * <p>The thread that runs actions also runs the actions that are queued meanwhile, by another thread or by an action. Because
 * the running thread also runs queued actions, two connection managers that answer each other in one thread do not recurse. An
 * exception of a queued action does not prevent later actions: the first exception is thrown after the last action.
 */
final class CmLock {
    private final ReentrantLock mutex = new ReentrantLock();
    private final ArrayDeque<Runnable> actions = new ArrayDeque<>();
    private boolean running;

    @FunctionalInterface
    interface Body<T extends @Nullable Object, E extends Exception> {
        T run() throws E;
    }

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
        mutex.lock();
        try {
            return body.run();
        } finally {
            runActions();
            mutex.unlock();
        }
    }

    /** Queues an action to run without the lock. Call only with the lock. */
    void afterUnlock(Runnable action) {
        actions.add(action);
    }

    private void runActions() {
        if (running || mutex.getHoldCount() > 1) {
            return;
        }
        running = true;
        try {
            runUnlocked();
        } finally {
            running = false;
        }
    }

    private void runUnlocked() {
        Throwable failure = null;
        for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
            mutex.unlock();
            try {
                action.run();
            } catch (RuntimeException | Error thrown) {
                failure = failure == null ? thrown : withSuppressed(failure, thrown);
            } finally {
                mutex.lock();
            }
        }
        switch (failure) {
            case null -> {}
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new IllegalStateException("an action threw a checked exception", failure);
        }
    }

    /**
     * Adds a suppressed exception, unless it is the same object as the first: the JVM may throw one OutOfMemoryError several
     * times.
     */
    private static Throwable withSuppressed(Throwable first, Throwable further) {
        if (!first.equals(further)) {
            first.addSuppressed(further);
        }
        return first;
    }
}
