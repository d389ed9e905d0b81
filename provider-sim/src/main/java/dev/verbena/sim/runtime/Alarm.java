// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A timer that is set and cleared often. Setting and clearing neither allocate nor block. Thread-safe. */
public interface Alarm {
    /**
     * Sets the alarm, or moves it.
     *
     * @param nanoTime the deadline on the runtime's {@link SimRuntime#nanoTime()} clock; a time in the past means soon,
     *     and {@link Long#MAX_VALUE} never
     */
    void set(long nanoTime);

    /**
     * Clears the alarm. An expiry that has already begun may still run; the alarm's code must check whether it still
     * applies.
     */
    void clear();

    /**
     * Clears the alarm permanently, and removes it from the runtime's queue. The queue keeps a cleared alarm's code
     * reachable until the time it was set for. No thread may set the alarm during this call or after it.
     */
    void close();
}
