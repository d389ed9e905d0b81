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
 * What a software device runs on: the {@link VerbsRuntime} that users see, with tasks, alarms and chance for the
 * device.
 *
 * <p>Tasks and alarms run what they are given with no lock of the runtime held.
 */
public interface SimRuntime extends VerbsRuntime, AutoCloseable {
    /**
     * Makes a task of the kind that drives one half of a queue pair.
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
     * @param inner whether it does not, so that a thread of the program may run it at the end of a call of the LND
     * @return a new task that is idle
     */
    ProgressTask newProgressTask(Pass pass, boolean inner);

    /**
     * Makes an alarm that can be set again and again without allocating.
     *
     * @param expired what to run when its time has come; it may not block
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
     * Makes a signal for waiters of their own. By default these wait as in {@link #await}, which is right under virtual time.
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
     * Insists that a selector can wait for what this runtime does.
     *
     * @param verb the verb that was asked for, in its C spelling
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

    /**
     * Returns where the program's code runs that waits for a stage.
     *
     * @return by default a task of the runtime
     */
    default Executor stageExecutor() {
        return command -> newSerialTask(command).schedule();
    }

    /**
     * Returns how threads wait that wait for something. Under virtual time nobody waits.
     *
     * @return the policy
     */
    default WaitPolicy waitPolicy() {
        return WaitPolicy.PARKING;
    }

    /**
     * Returns the seed of all chance.
     *
     * @return what the run can be repeated from; under wall time the order of events is not part of it
     */
    long seed();

    /**
     * Registers somebody who can tell what is outstanding when nothing can happen any more. Under wall time nobody asks.
     *
     * @param report gives one or more lines, without a line feed at the end; an empty string if nothing is outstanding
     * @return takes the registration back
     */
    default Registration onStall(Supplier<String> report) {
        return () -> {};
    }

    /**
     * Reports what was thrown where no caller can catch it: by a task, an alarm, a handler, a link rule, a tap or an engine. The
     * calling thread goes on. Under wall time the report goes to the thread's uncaught exception handler, under virtual time
     * the next {@link #await} throws it.
     *
     * @param thrown what was thrown
     */
    default void failed(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // As the JVM does. A handler that throws, or a full heap, must not end the thread.
        }
    }

    /**
     * Returns an extension that devices on this runtime have because of the runtime.
     *
     * @param <T> the extension's interface
     * @param type the same
     * @return empty by default
     */
    default <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        return Optional.empty();
    }

    /** Stops threads and forgets what was scheduled; idempotent. Waiters return false. */
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
