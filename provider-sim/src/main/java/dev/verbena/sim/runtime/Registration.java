// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A registration, for example of a fault rule, which {@link #close()} removes. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Removes the registration. Closing a registration again has no effect. */
    @Override
    void close();
}
