// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An actor: a thread of a program in virtual time, with ordinary blocking code. Of all threads of the program, only one runs at
 * a time. An actor runs until it waits through the SPI or polls an empty completion queue. If several actors can continue, the
 * next one is drawn from the seed, so that runs are repeatable.
 *
 * @see VirtualRuntime#actor
 */
public final class VirtualActor {
    /** The code of an actor. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs the code in the actor's own thread. The code may block only through the SPI and the runtime.
         *
         * @throws Exception any exception; the thread that drives the runtime gets this exception from its current wait
         */
        void run() throws Exception;
    }

    private final String name;

    /** The thread of this object; for the main thread, null until it calls {@link VirtualRuntime#actor} for the first time. */
    @Nullable Thread thread;

    /** The condition that the actor waits for; null while the actor runs. */
    @Nullable BooleanSupplier condition;

    long deadline = Deadlines.NEVER;
    boolean held;
    boolean timedOut;

    /** The exception that the wait throws instead of returning, or null. */
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
     * Returns whether the actor's thread has ended. Only the runtime's threads may call this.
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
     * Evaluates the condition that the thread waits for, unless the wait has a result already. The condition may remove
     * completions from a completion queue, so a condition that was true is not evaluated again: this object stores the
     * result.
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
