// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** The registration of one object, such as a fault rule. The method {@link #close()} removes the object. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Removes the registration. Closing a registration again has no effect. */
    @Override
    void close();
}
