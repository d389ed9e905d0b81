// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import java.util.List;

/**
 * Makes packets from work requests, and completions from responses. The send task calls {@link #step} repeatedly
 * ({@code rxe_sender}).
 */
interface Sender {
    long NEVER = Long.MAX_VALUE;

    /** Sends packets and handles responses. Returns whether another call of {@code step} may have work to do. */
    boolean step(long now);

    /** Returns the time at which {@link #step} must run even if no packet arrives, or {@link #NEVER}. */
    long nextDeadline();

    /** Returns true if {@link #step} has started a timer and {@link #startTimers} has not set the deadline yet. */
    default boolean hasStartedTimer() {
        return false;
    }

    /**
     * Sets the deadlines of the timers that {@link #step} has started. A deadline is {@code now} plus the timer's
     * delay. The caller must read {@code now} from the clock after the call of {@link #step}.
     */
    default void startTimers(long now) {}

    /** Resets the requester. Its next packet then has the given PSN. */
    void start(int psn);

    /** Adds the send state to the list, one line per element. Any thread may call this, after {@code flushDeferred}. */
    void describe(List<String> facts);

    int psn();
}
