// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.verbs.VerbsException;

/** A registration strategy that takes its registrations from one {@link PoolSet}. */
interface PooledStrategy extends RegistrationStrategy {
    PoolSet<?> pooled();

    @Override
    default void failOver() {
        pooled().failOver();
    }

    @Override
    default int pools() {
        return pooled().pools();
    }

    @Override
    default int objects() {
        return pooled().made();
    }

    @Override
    default int inUse() {
        return pooled().inUse();
    }

    @Override
    default void close() throws VerbsException {
        pooled().close();
    }
}
