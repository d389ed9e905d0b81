package dev.verbena.verbs;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The time a provider lives in, and the only way in which code above the verbs waits, schedules, and reads a clock.
 *
 * <p>A provider has one of two kinds. Under wall time, threads of the provider make progress and a caller that waits is
 * blocked. Under virtual time nothing runs by itself: the thread that waits drives the whole simulation (devices, fabric,
 * timers, handlers) until its condition holds, and time advances only when nothing is left to do at the present instant.
 * A program that uses this interface for all its waiting runs unchanged, and repeatably, under both.
 *
 * <p>Under wall time all methods may be called from any thread. Under virtual time they may be called by the driving
 * thread and by what it runs.
 *
 * @since 1.0
 */
public interface VerbsRuntime {
    /**
     * Tells whether time is simulated.
     *
     * @return true if time advances only while somebody waits
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
     * Makes a source of random numbers of its own for one purpose, so that drawing numbers for another purpose does not change it.
     *
     * @param purpose a stable name, such as {@code link sim0->sim1}
     * @return a generator for one thread at a time: under virtual time made from the seed and the purpose, else by default one
     *     whose numbers cannot be predicted
     */
    default RandomGenerator newRandom(String purpose) {
        return new SecureRandom();
    }

    /**
     * Makes a task that never runs concurrently with itself.
     *
     * @param body what one run does; it may not block, and what it throws is reported to the thread's uncaught exception
     *     handler under wall time and to the driving thread under virtual time
     * @return a new task that is idle
     */
    SerialTask newSerialTask(Runnable body);

    /**
     * Runs a task once after a delay.
     *
     * @param delay how long to wait, not negative; zero means as soon as possible
     * @param task what to run; it may not block
     * @return a handle with which the run can be prevented
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Waits until a condition holds.
     *
     * <p>The condition is evaluated by the calling thread, again and again; it should be cheap, such as polling a
     * completion queue. Under wall time it is looked at often enough without any signal, and at once after {@link
     * #wakeUp()}.
     *
     * @param condition what is waited for
     * @param timeout how long to wait at most, in the time of this runtime; zero looks once
     * @return true if the condition held, false if the time ran out first or the runtime was closed
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException when called from a handler or task of this runtime: these may not wait; under virtual
     *     time also when nothing can happen any more and the timeout is longer than the clock can count, some 292 years (the
     *     message lists what is outstanding)
     */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

    /** Makes waiters look at their condition again. Never needed for correctness; it shortens the reaction. */
    void wakeUp();

    /**
     * A task in the manner of the kernel's tasklets: scheduling it while it runs makes it run once more.
     *
     * @since 1.0
     */
    interface SerialTask {
        /** Asks for a run soon. Several calls before the run are one run; a call during a run causes another. */
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
