// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import java.util.List;

/** Makes packets from work requests, and completions from responses. The send task steps the sender ({@code rxe_sender}). */
interface Sender {
    long NEVER = Long.MAX_VALUE;

    /** Executes one step. Returns whether another step may have work to do. */
    boolean step(long now);

    /** Returns the time at which {@link #step} must run even if no packet arrives, or {@link #NEVER}. */
    long nextDeadline();

    /** Returns whether a step has started a timer whose deadline {@link #startTimers} has not set yet. */
    default boolean hasStartedTimer() {
        return false;
    }

    /**
     * Sets the deadlines of the started timers, counted from the time in the parameter {@code now}, which must not be earlier
     * than the step that started the timers.
     */
    default void startTimers(long now) {}

    /** Resets the sender, whose next packet then has the given PSN. */
    void start(int psn);

    /** Adds the sender's present state to the list, one fact per element. Reports call this method from any thread. */
    void describe(List<String> facts);

    int psn();
}
