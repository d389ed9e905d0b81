// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.VerbsRuntime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A scheduler with wall-clock time, for providers without a {@link VerbsRuntime} of their own. Two daemon threads run
 * {@code SerialTask}s and timer callbacks. If tasks or callbacks wait because these threads are blocked, the {@code
 * WallRuntime} starts more threads, up to a total of 256. A waiting thread spins on its condition for 20 µs, then evaluates
 * the condition at least every 100 µs. Thread-safe.
 *
 * @since 1.0
 */
public final class WallRuntime implements VerbsRuntime {
    /**
     * The time for which a waiting thread spins on its condition. After {@code EAGER_NANOS} the thread sleeps at most
     * {@code SLICE_NANOS} between two evaluations of the condition.
     */
    private static final long EAGER_NANOS = 20_000;

    private static final long SLICE_NANOS = 100_000;

    private static final Clock CALENDAR = Clock.systemUTC();

    private final TaskThreads threads = new TaskThreads();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private int wakes;

    /** Creates a {@code WallRuntime}; the first scheduled task or timer starts the threads. */
    public WallRuntime() {}

    /**
     * A provider's thread that runs the application's handlers, {@code SerialTask}s and timer callbacks. In a {@code
     * HandlerThread}, {@link #await} throws an exception.
     *
     * @since 1.0
     */
    public static final class HandlerThread extends Thread {
        /**
         * Creates a daemon thread.
         *
         * @param name the name of the thread
         * @param body the code that the thread runs
         */
        public HandlerThread(String name, Runnable body) {
            super(body, name);
            setDaemon(true);
        }
    }

    @Override
    public boolean isVirtual() {
        return false;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return CALENDAR.instant();
    }

    @Override
    public SerialTask newSerialTask(Runnable body) {
        return new Task(body);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return threads.schedule(nanos(delay), () -> shielded(task));
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        if (Thread.currentThread() instanceof HandlerThread) {
            throw new IllegalStateException(
                    "a handler or task of this runtime may not wait; schedule another task instead");
        }
        long start = System.nanoTime();
        long limit = nanos(timeout);
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for a condition");
            }
            int seen = wakes();
            if (condition.getAsBoolean()) {
                return true;
            }
            long passed = System.nanoTime() - start;
            if (passed >= limit) {
                return false;
            }
            if (passed < EAGER_NANOS) {
                Thread.onSpinWait();
            } else {
                park(Math.min(SLICE_NANOS, limit - passed), seen);
            }
        }
    }

    /** Sleeps until {@link #wakes()} differs from {@code seen}, but at most {@code nanos}. */
    private void park(long nanos, int seen) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (left > 0 && seen == wakes) {
                left = woken.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            wakes++;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int wakes() {
        lock.lock();
        try {
            return wakes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a handler or task of the application. If the handler or task throws an exception, the uncaught exception handler
     * of the thread gets the exception, and the thread continues.
     *
     * @param body the handler or task
     */
    public static void shielded(Runnable body) {
        try {
            body.run();
        } catch (Throwable thrown) { // A handler in Kotlin or Scala may throw an undeclared checked exception.
            report(thrown);
        }
    }

    private static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable ignored) { // Like the JVM, `report` ignores exceptions of the uncaught-exception handler.
        }
    }

    private static long nanos(Duration span) {
        try {
            return span.toNanos();
        } catch (ArithmeticException centuries) {
            return Long.MAX_VALUE;
        }
    }

    /** One or more calls of {@code schedule} during an execution of the task cause one further execution. */
    private final class Task implements SerialTask {
        private static final int CANCELLED = Integer.MIN_VALUE / 2;

        private final Runnable body;
        private final AtomicInteger wishes = new AtomicInteger();

        Task(Runnable body) {
            this.body = body;
        }

        @Override
        public void schedule() {
            if (wishes.getAndUpdate(now -> now < 0 ? now : Math.min(now + 1, 2)) == 0) {
                threads.execute(this::run);
            }
        }

        private void run() {
            if (wishes.updateAndGet(now -> now < 0 ? now : 1) < 0) {
                return;
            }
            shielded(body);
            if (wishes.updateAndGet(now -> now < 0 ? now : now - 1) > 0) {
                threads.execute(this::run);
            }
        }

        @Override
        public void cancel() {
            wishes.set(CANCELLED);
        }
    }
}
