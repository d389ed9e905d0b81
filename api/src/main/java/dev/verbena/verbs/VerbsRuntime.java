// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The clock, timers and waits of a provider. Code above the verbs waits, schedules and reads a clock only through this
 * interface.
 *
 * <p>A provider has one of two kinds. Under wall time, threads of the provider make progress and a caller that waits is
 * blocked. Under virtual time nothing runs by itself: the waiting thread drives the whole simulation (devices, fabric,
 * timers, handlers) until its condition holds. Time advances only when nothing is left to do at the present instant. A
 * program that uses this interface for all its waiting runs unchanged, and repeatably, under both.
 *
 * <p>Under wall time all methods may be called from any thread. Under virtual time only the driving thread may call
 * them, also from the tasks and handlers that it runs.
 *
 * @since 1.0
 */
public interface VerbsRuntime {
    /**
     * Returns whether time is simulated.
     *
     * @return true if time advances only while a thread waits
     */
    boolean isVirtual();

    /**
     * Reads the monotonic clock.
     *
     * @return nanoseconds since an arbitrary origin; only differences mean something
     */
    long nanoTime();

    /**
     * Reads the calendar clock, such as an incarnation number needs.
     *
     * @return the present instant; under virtual time a fixed start plus the time simulated
     */
    Instant now();

    /**
     * Makes a source of random numbers of its own for one purpose, so that drawing numbers for another purpose does not
     * change it.
     *
     * @param purpose a stable name, such as {@code link sim0->sim1}
     * @return a generator for one thread at a time: under virtual time made from the seed and the purpose, otherwise by
     *     default one with unpredictable numbers
     */
    default RandomGenerator newRandom(String purpose) {
        return new SecureRandom();
    }

    /**
     * Makes a task that never runs concurrently with itself.
     *
     * @param body the work of one run; it may not block. An exception goes to the thread's uncaught exception handler
     *     under wall time, and to the driving thread under virtual time
     * @return a new task that is idle
     */
    SerialTask newSerialTask(Runnable body);

    /**
     * Runs a task once after a delay.
     *
     * @param delay how long to wait, not negative; zero means as soon as possible
     * @param task the task; it may not block
     * @return a handle with which the run can be prevented
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Waits until a condition holds.
     *
     * <p>The calling thread evaluates the condition repeatedly, so the condition should be cheap, such as polling a
     * completion queue. Under wall time the evaluations need no signal, and {@link #wakeUp()} causes one at once.
     *
     * @param condition the condition to wait for
     * @param timeout how long to wait at most, in the time of this runtime; zero evaluates the condition once
     * @return true if the condition held, false if the time ran out first or the runtime was closed
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException when called from a handler or task of this runtime, which may not wait. Under
     *     virtual time also when no event is left and the timeout exceeds the range of the clock, about 292 years; the
     *     message lists the outstanding work
     */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

    /**
     * Makes waiting threads evaluate their conditions again. Never needed for correctness; a call shortens the
     * reaction.
     */
    void wakeUp();

    /**
     * A task in the manner of the kernel's tasklets: scheduling it while it runs makes it run once more.
     *
     * @since 1.0
     */
    interface SerialTask {
        /** Schedules a run. Several calls before the run cause one run; a call during a run causes another. */
        void schedule();

        /** Prevents further runs. A run that has begun ends normally; idempotent. */
        void cancel();
    }

    /**
     * A run that has been scheduled.
     *
     * @since 1.0
     */
    interface Timer {
        /**
         * Prevents the run if it has not begun.
         *
         * @return true if the task will not run
         */
        boolean cancel();
    }
}
