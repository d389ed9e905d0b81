// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A condition that threads wait for, such as an event on a completion channel. A thread that waits for long uses no
 * processor, and a virtual thread releases its carrier at once.
 */
public interface Signal {
    /**
     * Waits until a condition holds. The condition is evaluated after each {@link #wakeUp()}.
     *
     * @param condition the condition to evaluate
     * @param timeout the maximum time to wait
     * @return true if the condition held, false if the timeout expired first or the runtime was closed
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException if the calling thread is executing a handler, a task or a library call of this
     *     runtime; such a thread must not wait
     */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

    /** Makes the waiting threads evaluate their conditions. Call {@code wakeUp} when a condition may be true now. */
    void wakeUp();
}
