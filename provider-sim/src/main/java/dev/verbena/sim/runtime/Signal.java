// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A wait queue of threads, such as the threads that wait for an event of a completion channel. A thread that waits for long
 * uses no processor, and a virtual thread releases its carrier thread immediately.
 */
public interface Signal {
    /**
     * Waits until a condition holds. The condition is evaluated after each {@link #wakeUp()}.
     *
     * @param condition the condition to evaluate
     * @param timeout the maximum time to wait
     * @return true if the condition held, false if the timeout expired first or the runtime was closed
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException if the calling thread is executing a task, a timer or an application handler, or is in
     *     a call into the LND ({@code CallerRuns.beginCall}); such a thread must not wait
     */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

    /** Makes the waiting threads evaluate their conditions. Call {@code wakeUp} when a condition may be true now. */
    void wakeUp();
}
