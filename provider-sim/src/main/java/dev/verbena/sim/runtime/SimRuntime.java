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
 * The runtime of a software device: the {@link VerbsRuntime} that applications see, with tasks, alarms and random
 * generators for the device.
 *
 * <p>Tasks and alarms run their code with no lock of the runtime held.
 */
public interface SimRuntime extends VerbsRuntime, AutoCloseable {
    /**
     * Makes a task of the kind that drives the sender or the receiver of a queue pair.
     *
     * @param pass one step of work
     * @return a new task that is idle
     */
    default ProgressTask newProgressTask(Pass pass) {
        return newProgressTask(pass, true);
    }

    /**
     * Makes a task of the same kind that may run the program's code.
     *
     * @param pass one step of work
     * @param inner true if the task never runs the program's code, so that a thread of the program may run it at the
     *     end of a call of the LND
     * @return a new task that is idle
     */
    ProgressTask newProgressTask(Pass pass, boolean inner);

    /**
     * Makes an alarm that can be set again and again without allocating.
     *
     * @param expired the code to run at the deadline; it may not block
     * @return a new alarm that is not set
     */
    Alarm newAlarm(Runnable expired);

    /**
     * {@inheritDoc}
     *
     * @return a generator made from {@link #seed()} and the purpose; for one thread at a time
     */
    @Override
    RandomGenerator newRandom(String purpose);

    /**
     * Makes a signal that wakes only its own waiters. By default its waiters wait as in {@link #await}, which is right
     * under virtual time.
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
     * Fails unless a selector can wait for this runtime's events.
     *
     * @param verb the verb of the caller, in its C spelling
     * @throws VerbsException {@code EOPNOTSUPP} under virtual time
     */
    default void requireWallTime(String verb) throws VerbsException {
        if (isVirtual()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "no selector waits in virtual time, as nothing happens while it waits; await the channel, which lets time pass");
        }
    }

    /** Called after a poll that has found no completion. Does nothing under wall time. */
    default void polledInVain() {}

    /**
     * Returns the executor of the program's code that depends on an asynchronous result.
     *
     * @return by default a task of the runtime
     */
    default Executor stageExecutor() {
        return command -> newSerialTask(command).schedule();
    }

    /**
     * Returns how a waiting thread waits. Under virtual time no thread waits.
     *
     * @return the policy
     */
    default WaitPolicy waitPolicy() {
        return WaitPolicy.PARKING;
    }

    /**
     * Returns the seed of all random generators.
     *
     * @return the seed that repeats the run; under wall time it does not determine the order of events
     */
    long seed();

    /**
     * Registers a report of outstanding work, for the case that no event can happen any more. Never called under wall
     * time.
     *
     * @param report returns one or more lines, without a line feed at the end; an empty string if nothing is
     *     outstanding
     * @return undoes the registration
     */
    default Registration onStall(Supplier<String> report) {
        return () -> {};
    }

    /**
     * Reports an exception that no caller can catch: from a task, an alarm, a handler, a link rule, a tap or an engine.
     * The calling thread continues. Under wall time the thread's uncaught exception handler gets the exception. Under
     * virtual time the next {@link #await} throws it.
     *
     * @param thrown the exception
     */
    default void failed(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // As in the JVM: an exception in the handler, or a full heap, must not end the thread.
        }
    }

    /**
     * Returns an extension that devices have because they are on this runtime.
     *
     * @param <T> the extension's interface
     * @param type the extension's interface
     * @return empty by default
     */
    default <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        return Optional.empty();
    }

    /** Stops the threads and discards scheduled tasks; idempotent. Waiters return false. */
    @Override
    void close();

    /** One step of a {@link ProgressTask}. */
    @FunctionalInterface
    interface Pass {
        /**
         * Does one step.
         *
         * @return true to be called again, false when there is nothing more to do
         */
        boolean run();
    }
}
