// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import java.util.List;

/**
 * Requester and completer of a queue pair: makes packets of send work requests, and completions of responses. The send task steps it
 * ({@code rxe_sender}).
 */
interface Sender {
    /** No deadline. */
    long NEVER = Long.MAX_VALUE;

    /** Does one step; true if there may be more to do now. */
    boolean step(long now);

    /** The time at which {@link #step} must run even if no packet arrives, or {@link #NEVER}. */
    long nextDeadline();

    /** Whether a step has started a timer that {@link #startTimers} has not yet given a deadline. */
    default boolean hasStartedTimer() {
        return false;
    }

    /** Sets the deadlines of the started timers, counted from {@code now}. This time must not be before the step that started them. */
    default void startTimers(long now) {}

    /** Resets the sender. Its next packet has this PSN. */
    void start(int psn);

    /** Adds the present state, one fact a line. Reports call this from any thread. */
    void describe(List<String> facts);

    /** The PSN of the next packet. */
    int psn();
}
