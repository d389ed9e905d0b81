// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The scheduler of a software device: the {@link VerbsRuntime} that applications use, and tasks, timers and random
 * generators for the device. A {@code SimRuntime} holds no lock of its own while it calls the function of a task or timer.
 */
public interface SimRuntime extends VerbsRuntime, AutoCloseable {
    /**
     * Makes a task that never calls application code, for example one that runs the requester of a queue pair.
     *
     * @param pass the function that the task calls repeatedly
     * @return a new task that is idle
     */
    default ProgressTask newProgressTask(Pass pass) {
        return newProgressTask(pass, true);
    }

    /**
     * Makes a task, for example one that runs the requester of a queue pair.
     *
     * @param pass the function that the task calls repeatedly
     * @param inner true if the task never calls application code. The thread that calls {@code CallerRuns.endCall} may run
     *     such a task
     * @return a new task that is idle
     */
    ProgressTask newProgressTask(Pass pass, boolean inner);

    /**
     * Makes a timer that can be set repeatedly without allocating memory.
     *
     * @param expired the function to call at the deadline, which must not block
     * @return a new timer that is not set
     */
    Alarm newAlarm(Runnable expired);

    /**
     * {@inheritDoc}
     *
     * @return a random generator whose seed derives from {@link #seed()} and the string {@code purpose}; only one thread at
     *     a time may use the generator
     */
    @Override
    RandomGenerator newRandom(String purpose);

    /**
     * Creates a wait queue of threads. The default {@code Signal} delegates to {@link #await} and {@link #wakeUp} of this
     * {@code SimRuntime}. A {@code SimRuntime} in virtual time uses the default {@code Signal}.
     *
     * @return a new wait queue, in which no thread waits
     */
    default Signal newSignal() {
        return new Signal() {
            @Override
            public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
                return SimRuntime.this.await(condition, timeout);
            }

            @Override
            public void wakeUp() {
                SimRuntime.this.wakeUp();
            }
        };
    }

    /**
     * Checks that this {@code SimRuntime} uses wall-clock time, which NIO selectors require.
     *
     * @param verb the C name of the verb that the caller executes
     * @throws VerbsException {@code EOPNOTSUPP} under virtual time
     */
    default void requireWallTime(String verb) throws VerbsException {
        if (isVirtual()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "selectable() is not supported in virtual time; await the channel, so that time can advance");
        }
    }

    /**
     * Reports that a poll has found no completion. Under virtual time this call may advance the time; under wall-clock time
     * it has no effect.
     */
    default void polledInVain() {}

    /**
     * Returns the executor that completes a {@code CompletionStage} and runs the functions that the application added to
     * the stage.
     *
     * @return by default an executor that runs each command as a task of this {@code SimRuntime}
     */
    default Executor stageExecutor() {
        return command -> newSerialTask(command).schedule();
    }

    /** {@return the policy by which waiting threads spin, yield and park; virtual time does not use the policy} */
    default WaitPolicy waitPolicy() {
        return WaitPolicy.PARKING;
    }

    /** {@return the seed of all random generators; only under virtual time does it also determine the order of events} */
    long seed();

    /**
     * Registers a function that describes outstanding work requests. If a wait under virtual time can never end, its
     * exception contains the text of {@code report}. Under wall-clock time, {@code report} is never called.
     *
     * @param report the function, which returns lines of text without a line feed at the end, or an empty string if no work
     *     request is outstanding
     * @return a handle; after the caller has closed it, this {@code SimRuntime} no longer calls {@code report}
     */
    default Registration onStall(Supplier<String> report) {
        return () -> {};
    }

    /**
     * Reports an exception of a task, timer, application handler, fault rule, packet tap or protocol state machine, which
     * no caller can catch. The calling thread continues. Under wall-clock time, the calling thread's uncaught exception
     * handler gets the exception. Under virtual time, the next {@link #await} throws {@code thrown}.
     *
     * @param thrown the exception to report
     */
    default void failed(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // An exception that the uncaught exception handler throws must not end the thread. The JVM also ignores
            // exceptions of uncaught exception handlers.
        }
    }

    /**
     * Returns the {@link DeviceExtension} that implements {@code type}, if all devices on this runtime have it.
     *
     * @param <T> the type of the extension
     * @param type the interface of the extension
     * @return empty by default
     */
    default <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        return Optional.empty();
    }

    /** Stops the threads and discards scheduled tasks. Waiting threads return false. Closing the runtime again has no effect. */
    @Override
    void close();

    /** The function that a {@link ProgressTask} calls repeatedly. */
    @FunctionalInterface
    interface Pass {
        /**
         * Executes one iteration of the task; for example, handles a limited number of packets or work requests.
         *
         * @return true if the task must call this method again, false if another call would have nothing to do
         */
        boolean run();
    }
}
