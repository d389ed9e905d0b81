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
 * The runtime of a software device: the {@link VerbsRuntime} that applications use, and tasks, alarms and random generators
 * for the device. Tasks and alarms run their code without a lock of the runtime.
 */
public interface SimRuntime extends VerbsRuntime, AutoCloseable {
    /**
     * Makes a task that drives the requester or the responder of a queue pair.
     *
     * @param pass the code that the task calls repeatedly
     * @return a new task that is idle
     */
    default ProgressTask newProgressTask(Pass pass) {
        return newProgressTask(pass, true);
    }

    /**
     * Makes a task, for example the requester of a queue pair.
     *
     * @param pass the code that the task calls repeatedly
     * @param inner true if the task never runs code of the program. At the end of a call into the LND, a thread of the
     *     program may run such a task
     * @return a new task that is idle
     */
    ProgressTask newProgressTask(Pass pass, boolean inner);

    /**
     * Makes an alarm that can be set again and again without allocating.
     *
     * @param expired the code to run at the deadline, which must not block
     * @return a new alarm that is not set
     */
    Alarm newAlarm(Runnable expired);

    /**
     * {@inheritDoc}
     *
     * @return a random generator derived from {@link #seed()} and from the text of the purpose; only one thread at a
     *     time may use the generator
     */
    @Override
    RandomGenerator newRandom(String purpose);

    /**
     * Creates a signal that wakes the threads that wait for it. The default {@code Signal} delegates to {@link #await} and
     * {@link #wakeUp} of the runtime. A runtime in virtual time uses the default {@code Signal}.
     *
     * @return a new signal
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
     * Checks that this runtime has wall time, which NIO selectors require.
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
     * Reports that a poll has found no completion. Under virtual time this call may advance time; under wall time it has no
     * effect.
     */
    default void polledInVain() {}

    /**
     * Returns the executor that completes a {@code CompletionStage} and runs the functions that the program added to
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
     * Registers a function that describes outstanding work. Under virtual time the runtime calls {@code report} when no
     * event can happen any more; under wall time it never calls {@code report}.
     *
     * @param report the function, which returns one or more lines of text without a line feed at the end, or an empty string if
     *     no work is outstanding
     * @return the registration of {@code report}; after it is closed, the runtime no longer calls {@code report}
     */
    default Registration onStall(Supplier<String> report) {
        return () -> {};
    }

    /**
     * Reports an exception that no caller can catch, because a task, an alarm, a handler, a link rule, a tap or an engine
     * threw it. The calling thread continues. A runtime with wall-clock time passes the exception to the calling thread's
     * uncaught exception handler. In virtual time, the next {@link #await} throws {@code thrown}.
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

    /** The code that a {@link ProgressTask} calls repeatedly. */
    @FunctionalInterface
    interface Pass {
        /**
         * Does a part of the task's work.
         *
         * @return true if another call of this method has work to do, false if no work is left
         */
        boolean run();
    }
}
