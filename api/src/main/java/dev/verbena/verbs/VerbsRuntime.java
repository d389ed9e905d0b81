// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The clock and the timers of a provider, and the methods that wait for its devices. A program that uses verbs should wait,
 * schedule tasks and read a clock only through this interface.
 *
 * <p>A runtime has wall-clock time or virtual time. Under wall-clock time, the provider's threads continue to run while a
 * caller waits. Under virtual time nothing runs by itself: the waiting thread drives the whole simulation (devices, fabric,
 * timers, handlers) until its condition is true. Virtual time advances only when no work is left at the present instant. A
 * program that always waits through this interface runs unchanged under wall-clock and virtual time. Under virtual time,
 * runs of the program are repeatable.
 *
 * <p>Under wall-clock time all methods are thread-safe. Under virtual time, only the thread that drives the simulation may
 * call runtime methods. Under virtual time, tasks and handlers run in the thread that drives the simulation, and may call
 * runtime methods.
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
     * Creates a random generator for one purpose. The program's use of other generators does not change the random numbers
     * of this generator.
     *
     * @param purpose a name that identifies the generator and is the same in every run, such as {@code link sim0->sim1}
     * @return a random generator, which only one thread at a time may use. Under virtual time the seed and the purpose
     *     determine the random numbers. Under wall-clock time, this default method returns a generator of unpredictable
     *     numbers
     */
    default RandomGenerator newRandom(String purpose) {
        return new SecureRandom();
    }

    /**
     * Creates a task that never runs concurrently with itself.
     *
     * @param body the code that one run of the task executes; the code must not block. Under wall-clock time, an
     *     exception that {@code body} throws is passed to the thread's uncaught exception handler. Under virtual time,
     *     the exception is thrown in the thread that drives the time
     * @return a new task, which runs only after it is scheduled
     */
    SerialTask newSerialTask(Runnable body);

    /**
     * Runs a task once after a delay.
     *
     * @param delay the delay, not negative; zero means as soon as possible
     * @param task the task, which must not block
     * @return a handle by which the program can cancel the run
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Waits until a condition is true.
     *
     * <p>The calling thread evaluates the condition repeatedly, so the evaluation should be cheap, such as a poll of a
     * completion queue. Under wall-clock time, {@link #wakeUp()} makes waiting threads evaluate their conditions at once.
     *
     * @param condition the condition to wait for
     * @param timeout the maximum time to wait, measured by the clock of this runtime; with zero the condition is evaluated once
     * @return true if the condition was true; false if the timeout passed or the runtime was closed
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException if the caller is a handler or task of this runtime; such a caller must not wait.
     *     Under virtual time, {@code await} also fails if tasks and timers run endlessly at the same virtual time.
     *     Under virtual time, {@code await} also fails if no event is pending and the timeout exceeds the clock's range
     *     (about 292 years). The exception's message lists the outstanding work
     */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

    /**
     * Makes waiting threads evaluate their conditions again. No program needs to call {@code wakeUp}, but a call can
     * shorten waits.
     */
    void wakeUp();

    /**
     * A task that resembles a tasklet of the kernel. A call of {@link #schedule()} during a run causes one more run.
     *
     * @since 1.0
     */
    interface SerialTask {
        /**
         * Schedules a run of the task. If the task is scheduled several times before it runs, the task runs once. If the task is
         * scheduled while it runs, the task runs again.
         */
        void schedule();

        /**
         * Prevents further runs of the task. The method {@code cancel} does not stop a run that has already begun. A second
         * call of {@code cancel} has no effect.
         */
        void cancel();
    }

    /**
     * One scheduled run of a task; the program can cancel the run.
     *
     * @since 1.0
     */
    interface Timer {
        /**
         * Cancels the run if it has not begun.
         *
         * @return true if the cancelled task will not run
         */
        boolean cancel();
    }
}
