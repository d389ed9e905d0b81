// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A registration of an object at a component, such as of a fault rule; {@link #close()} removes the object. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Removes the registration. Closing a registration again has no effect. */
    @Override
    void close();
}
