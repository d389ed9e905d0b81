// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A timer that is set and cleared often. Setting or clearing a timer neither allocates nor blocks. Timers are thread-safe. */
public interface Alarm {
    /**
     * Sets the timer. If the timer was already set, the new deadline replaces the old one.
     *
     * @param nanoTime the deadline on the runtime's {@link SimRuntime#nanoTime()} clock; a deadline in the past expires soon,
     *     and {@link Long#MAX_VALUE} never expires
     */
    void set(long nanoTime);

    /**
     * Clears the timer. If the deadline has passed, the timer's callback may still run after {@code clear}. The callback of
     * a timer must check whether the timeout still applies.
     */
    void clear();

    /**
     * Clears the timer permanently, and removes it from the timer queue. Without {@code close}, the timer queue keeps the
     * callback reachable until the former deadline. No thread may set this timer during or after {@code close}.
     */
    void close();
}
