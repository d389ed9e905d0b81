// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a program in virtual time, with ordinary blocking code. Actors run one at a time. An actor runs until it
 * waits through the SPI or polls an empty completion queue. Which of the actors that can continue runs next is drawn
 * from the seed, so the run repeats.
 *
 * @see VirtualRuntime#actor
 */
public final class VirtualActor {
    /** The code of an actor. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs in a thread of its own. The code may block through the SPI and the runtime only.
         *
         * @throws Exception any; the wait of the thread that drives the runtime throws it
         */
        void run() throws Exception;
    }

    private final String name;

    /** Null for the thread that starts the actors, until it starts the first one. */
    @Nullable Thread thread;

    /** Null while the actor runs. */
    @Nullable BooleanSupplier condition;

    long deadline = Deadlines.NEVER;
    boolean held;
    boolean timedOut;

    /** The exception that the wait throws instead of returning. */
    @Nullable Throwable refusal;

    volatile boolean interrupted;
    boolean ended;

    VirtualActor(String name) {
        this.name = name;
    }

    /**
     * Returns the name.
     *
     * @return the name that was given to {@link VirtualRuntime#actor}
     */
    public String name() {
        return name;
    }

    /**
     * Returns whether the actor has ended. To be called by the threads of the runtime only.
     *
     * @return true if the body has returned or thrown
     */
    public boolean hasEnded() {
        return ended;
    }

    /** Begins a wait. */
    void waitFor(BooleanSupplier awaited, long until) {
        condition = awaited;
        deadline = until;
        held = false;
        timedOut = false;
    }

    /** Evaluates the condition unless the wait is over already: an evaluation may take completions. */
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

    /** Returns whether the wait is over. */
    boolean hasResult() {
        return condition != null && (refusal != null || held || timedOut);
    }

    @Override
    public String toString() {
        return name;
    }
}
