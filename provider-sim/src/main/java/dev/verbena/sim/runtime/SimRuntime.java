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
     * Makes a task that drives a part of the device.
     *
     * @param pass the code that the task calls repeatedly
     * @param inner true if the task never runs code of the program. A thread of the program may run such a task at the
     *     end of a call into the LND
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
     * Makes a signal that wakes only the threads that wait for it. By default a thread waits for the signal in {@link #await},
     * which is correct under virtual time.
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
     * Checks that an NIO selector can wait for this runtime's events.
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
     * @return by default an executor that runs each command as a task of the runtime
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
     * Registers a function that describes outstanding work. Under virtual time the runtime calls the function when no event can
     * happen any more; under wall time the runtime never calls the function.
     *
     * @param report the function, which returns one or more lines of text without a line feed at the end, or an empty string if
     *     no work is outstanding
     * @return a registration; after the registration is closed, the runtime no longer calls the function
     */
    default Registration onStall(Supplier<String> report) {
        return () -> {};
    }

    /**
     * Reports an exception that no caller can catch. Such an exception is thrown by a task, an alarm, a handler, a link
     * rule, a tap or an engine. The calling thread continues. Under wall time the thread's uncaught exception handler
     * gets the exception. Under virtual time the next {@link #await} throws the exception.
     *
     * @param thrown the exception to report
     */
    default void failed(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // An exception that the uncaught exception handler throws must not end the thread. The JVM ignores such
            // exceptions, too.
        }
    }

    /**
     * Returns the device extension with the interface {@code type}, if every device on this runtime has that extension.
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
