// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An actor: a thread of a program in virtual time, with ordinary blocking code. Only one thread of the program runs at a
 * time. The running thread runs until it calls a waiting SPI method or polls an empty completion queue. If several actors
 * can continue, a random generator with the runtime's seed chooses the next actor. Runs are therefore repeatable.
 *
 * @see VirtualRuntime#actor
 */
public final class VirtualActor {
    /** The code of an actor. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs the actor's code in the actor's thread. The actor may block only in the SPI and in {@link VirtualRuntime}.
         *
         * @throws Exception any exception; the thread that drives the runtime gets this exception from its current wait
         */
        void run() throws Exception;
    }

    private final String name;

    /** The actor's thread; null for the main actor until the first call of {@link VirtualRuntime#actor}. */
    @Nullable Thread thread;

    /** The condition that the actor waits for; null while the actor runs. */
    @Nullable BooleanSupplier condition;

    long deadline = Deadlines.NEVER;
    boolean held;
    boolean timedOut;

    /** The exception that ends the actor's current wait, or null. */
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
     * Evaluates the condition that the actor's thread waits for, unless the wait has a result already. Stores the result.
     * An evaluation may remove completions from a queue, and a second evaluation could then yield false.
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
