// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A condition that threads wait for until it is signalled, such as a completion channel with an event. A thread that
 * waits for long uses no processor, and a virtual thread releases its carrier at once.
 */
public interface Signal {
    /**
     * Waits until a condition holds. The condition is evaluated after each {@link #wakeUp()}.
     *
     * @param condition the condition
     * @param timeout the maximum time to wait
     * @return true if the condition held, false if the time ran out first or the runtime was closed
     * @throws InterruptedException if the calling thread was interrupted
     * @throws IllegalStateException when called from a handler, task or call of this runtime: these may not wait
     */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

    /** Makes the waiters evaluate their condition; to be called whenever it may have become true. */
    void wakeUp();
}
