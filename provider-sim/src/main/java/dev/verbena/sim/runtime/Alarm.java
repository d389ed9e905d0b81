package dev.verbena.sim.runtime;

/** A timer that is set and cleared often. Setting and clearing neither allocate nor block, from any thread. */
public interface Alarm {
    /**
     * Sets the alarm, or moves it.
     *
     * @param nanoTime when, by the runtime's {@link SimRuntime#nanoTime()}; a time in the past means soon, and {@link
     *     Long#MAX_VALUE} never
     */
    void set(long nanoTime);

    /**
     * Clears the alarm. It may still go off once if that has already begun; what it runs must look whether it is meant.
     */
    void clear();

    /**
     * Clears the alarm for good, and takes it out of the runtime's queue, which keeps what a cleared alarm runs reachable until
     * the time it was set for. No thread may set the alarm during this call or after it.
     */
    void close();
}
