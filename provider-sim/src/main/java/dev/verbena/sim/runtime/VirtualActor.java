// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated application thread, which runs blocking code in virtual time. One application thread runs at a time, until it
 * waits in a method of this library or polls an empty completion queue. If several threads can continue, a random generator
 * with the runtime's seed chooses the next thread. Executions with the same seed therefore run the threads in the same
 * order.
 *
 * @see VirtualRuntime#actor
 */
public final class VirtualActor {
    /** The code of a simulated application thread. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs the thread's code, which may block only in methods of this library, such as {@link VirtualRuntime#await}.
         *
         * @throws Exception any exception; the main thread's current wait throws it, or throws an exception caused by it
         */
        void run() throws Exception;
    }

    private final String name;

    /** The Java thread, or null for the main thread until the first call of {@link VirtualRuntime#actor}. */
    @Nullable Thread thread;

    /** The condition that the application thread waits for; null while this thread runs. */
    @Nullable BooleanSupplier condition;

    long deadline = Deadlines.NEVER;
    boolean held;
    boolean timedOut;

    /** The exception that ends the current wait of the application thread, or null. */
    @Nullable Throwable refusal;

    volatile boolean interrupted;
    boolean ended;

    VirtualActor(String name) {
        this.name = name;
    }

    /** {@return the name that was passed to {@link VirtualRuntime#actor}} */
    public String name() {
        return name;
    }

    /**
     * Returns whether this simulated application thread has exited. Call only in such a thread or in the main thread of the
     * same {@link VirtualRuntime}.
     *
     * @return true if the {@link Body} of the thread has returned or thrown an exception
     */
    public boolean hasEnded() {
        return ended;
    }

    void waitFor(BooleanSupplier awaited, long until) {
        condition = awaited;
        deadline = until;
        held = false;
        timedOut = false;
    }

    /**
     * Evaluates the condition that the application thread waits for, unless the wait already has a result. Stores the
     * result. An evaluation may remove completions from a completion queue, and a second evaluation could then yield false.
     */
    boolean canContinue() {
        BooleanSupplier awaited = condition;
        if (awaited == null) {
            return false;
        }
        if (!hasResult()) {
            try {
                held = awaited.getAsBoolean();
            } catch (Throwable thrown) {
                refusal = thrown;
            }
        }
        return hasResult();
    }

    boolean hasResult() {
        return condition != null && (refusal != null || held || timedOut);
    }

    @Override
    public String toString() {
        return name;
    }
}
