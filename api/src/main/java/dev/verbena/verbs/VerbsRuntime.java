// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The clock and the timers of a provider, and the methods that wait for its devices. An application should wait, schedule
 * tasks and read a clock only through this interface.
 *
 * <p>A {@code VerbsRuntime} uses wall-clock time or virtual time. Under wall-clock time, the provider's threads continue to
 * run while a caller waits. Under virtual time nothing runs by itself: the waiting thread runs the devices, the fabric, the
 * timers and the handlers until its condition is true. Virtual time advances only when no task or timer is due at the
 * current virtual time. An application that always waits through this interface runs unchanged under wall-clock and virtual
 * time. Under virtual time, executions of the application are repeatable.
 *
 * <p>Under wall-clock time all methods are thread-safe. Under virtual time, only the thread that advances the time may call
 * methods of this interface. Under virtual time, tasks and handlers run in the thread that advances the time; they may call
 * every method except {@code await}.
 *
 * @since 1.0
 */
public interface VerbsRuntime {
    /** {@return whether the time is virtual; virtual time advances only while a thread waits} */
    boolean isVirtual();

    /** {@return the monotonic clock in nanoseconds since an arbitrary origin, so that only differences have a meaning} */
    long nanoTime();

    /** {@return the calendar time; under virtual time it is a fixed start time plus the virtual time} */
    Instant now();

    /**
     * Creates a random generator with the name {@code purpose}. Using other generators does not change its random numbers.
     *
     * @param purpose the name of the generator, the same in every execution, such as {@code link sim0->sim1}
     * @return a random generator, which only one thread at a time may use. Under virtual time, {@code purpose} and the
     *     scheduler's seed determine the random numbers. Under wall-clock time, this default method returns a generator of
     *     unpredictable numbers
     */
    default RandomGenerator newRandom(String purpose) {
        return new SecureRandom();
    }

    /**
     * Creates a task that never runs concurrently with itself.
     *
     * @param body the function that each execution of the task calls; {@code body} must not block. Under wall-clock time,
     *     an exception that {@code body} throws is passed to the thread's uncaught exception handler. Under virtual time,
     *     {@link #await} throws the exception
     * @return a new task, which runs only after it is scheduled
     */
    SerialTask newSerialTask(Runnable body);

    /**
     * Runs a task once after a delay.
     *
     * @param delay the delay, not negative; zero means as soon as possible
     * @param task the task, which must not block
     * @return a handle by which the application can cancel the execution
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Waits until a condition is true.
     *
     * <p>The calling thread evaluates the condition repeatedly, so the evaluation should be cheap, such as a CQ poll. Under
     * wall-clock time, {@link #wakeUp()} makes waiting threads evaluate their conditions immediately.
     *
     * @param condition the condition to wait for
     * @param timeout the maximum time to wait, measured by {@link #nanoTime()}; with zero the condition is evaluated once
     * @return true if the condition was true; false if the timeout passed or this {@code VerbsRuntime} was closed
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException if the caller is a handler, task or timer of this {@code VerbsRuntime}, which must not
     *     wait. Under virtual time, {@code await} also fails if tasks and timers run endlessly at the same virtual time.
     *     Under virtual time, {@code await} also fails if no event is pending and the timeout exceeds the clock's range
     *     (about 292 years). If the wait would never end, the exception's message reports the pending tasks and work
     *     requests
     */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

    /**
     * Makes waiting threads evaluate their conditions again. No application needs to call {@code wakeUp}, but a call can
     * shorten waits.
     */
    void wakeUp();

    /**
     * A task that resembles a kernel tasklet. A call of {@link #schedule()} during an execution causes one more execution.
     *
     * @since 1.0
     */
    interface SerialTask {
        /**
         * Schedules an execution of the task. If the task is scheduled several times before it runs, the task runs once. If
         * the task is scheduled while it runs, the task runs again.
         */
        void schedule();

        /**
         * Prevents further executions of the task. An execution that has already begun continues. A second call of {@code
         * cancel} has no effect.
         */
        void cancel();
    }

    /**
     * One scheduled execution of a task; the application can cancel the execution.
     *
     * @since 1.0
     */
    interface Timer {
        /**
         * Cancels the execution if it has not begun.
         *
         * @return true if the cancelled task will not run
         */
        boolean cancel();
    }
}
