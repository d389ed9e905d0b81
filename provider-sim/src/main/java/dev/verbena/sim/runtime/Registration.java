// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A registration, for example of a fault rule. {@link #close()} removes the registration. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Removes the registration. Closing a registration again has no effect. */
    @Override
    void close();
}
