// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A timer that is set and cleared often. Setting or clearing an alarm neither allocates nor blocks. Alarms are thread-safe. */
public interface Alarm {
    /**
     * Sets the alarm. If the alarm was already set, it gets the new deadline.
     *
     * @param nanoTime the deadline on the runtime's {@link SimRuntime#nanoTime()} clock; a deadline in the past expires soon,
     *     and {@link Long#MAX_VALUE} never expires
     */
    void set(long nanoTime);

    /**
     * Clears the alarm. If the deadline has passed, the alarm's code may still run after {@code clear}. The alarm's code
     * must check whether the reason for the alarm still exists.
     */
    void clear();

    /**
     * Clears the alarm permanently, and removes it from the runtime's queue, which otherwise keeps the alarm's code
     * reachable until the former deadline. No thread may set this {@code Alarm} during or after {@code close}.
     */
    void close();
}
