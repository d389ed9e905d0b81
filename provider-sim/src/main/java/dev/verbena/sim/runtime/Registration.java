// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** A registration that can be undone. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Undoes the registration; idempotent. */
    @Override
    void close();
}
