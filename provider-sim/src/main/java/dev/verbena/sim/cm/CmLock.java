// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The only lock of a connection manager, and a queue of actions that run after the lock is released. The lock guards
 * all state of the connection manager.
 *
 * <p>Code that holds the CM lock must not send a MAD, modify a queue pair or call an event handler. The reply to a MAD may
 * arrive before the call that sends the MAD returns. Modifying a queue pair may wait for a device task that is about to
 * deliver a MAD. An event handler may run any code. A thread that holds the CM lock queues each send, modification or
 * handler call with {@link #afterUnlock}. Queued actions run in order after the CM lock is released.
 *
 * <p>If actions are queued while a thread runs queued actions, the same thread also runs the new actions. Without the queue
 * of actions, two connection managers that exchange MADs in one thread would call each other recursively. If a queued
 * action throws an exception, the remaining actions still run, and the exception is rethrown after the last one.
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

    /** Queues an action to run after the CM lock is released. Call only in a thread that holds the CM lock. */
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
     * Adds {@code further} to the suppressed exceptions of {@code first}, unless both are the same object. The JVM may
     * throw the same OutOfMemoryError object more than once.
     */
    private static Throwable withSuppressed(Throwable first, Throwable further) {
        if (!first.equals(further)) {
            first.addSuppressed(further);
        }
        return first;
    }
}
