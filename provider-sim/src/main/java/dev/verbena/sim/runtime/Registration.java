// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A handle of one registered object, such as a fault rule. The method {@link #close()} removes the object. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Removes the registered object, such as a fault rule. Calling {@code close} again has no effect. */
    @Override
    void close();
}
