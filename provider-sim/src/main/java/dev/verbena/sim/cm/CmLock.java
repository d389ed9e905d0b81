// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The only lock of a connection manager, and the actions to run after its release.
 *
 * <p>The lock guards all state of a connection manager. Three operations must not run with the lock held. Sending a MAD
 * may deliver the answer before it returns. Moving a queue pair may wait for a task that is about to deliver a MAD. A
 * handler may run any code. Such actions are {@linkplain #afterUnlock queued} under the lock. The first thread that releases
 * the lock runs them one after the other, in the order in which they were queued.
 *
 * <p>If a thread queues an action while another one runs actions, the other thread runs it. If an action queues
 * another, the loop that runs the former also runs the latter. So two managers that answer each other in one thread do
 * not recurse. An action that throws does not delay the others: the loop runs the rest and then throws the first
 * exception.
 */
final class CmLock {
    private final ReentrantLock mutex = new ReentrantLock();
    private final ArrayDeque<Runnable> actions = new ArrayDeque<>();
    private boolean running;

    /** Code to run under the lock. */
    @FunctionalInterface
    interface Body<T extends @Nullable Object, E extends Exception> {
        T run() throws E;
    }

    /** Code without a result to run under the lock. */
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

    /** Queues an action to run without the lock. To be called under the lock. */
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
     * Adds a suppressed exception, unless it is the same object: the JVM may throw one OutOfMemoryError several times.
     */
    private static Throwable withSuppressed(Throwable first, Throwable further) {
        if (!first.equals(further)) {
            first.addSuppressed(further);
        }
        return first;
    }
}
