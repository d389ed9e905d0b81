// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import org.jspecify.annotations.Nullable;

/** Objects that cannot be closed until this is; used by one thread. */
public final class Held implements AutoCloseable {
    private final @Nullable UseGuard[] guards;
    private int entered;

    /**
     * Takes objects into use.
     *
     * @param guards those of the objects, in the order of the calls; null for an object that is not there
     * @throws IllegalStateException if one is closed; then none is in use
     */
    public Held(@Nullable UseGuard... guards) {
        this.guards = guards.clone();
        for (UseGuard guard : guards) {
            if (guard != null && !guard.tryEnter()) {
                close();
                throw guard.closed();
            }
            entered++;
        }
    }

    @Override
    public void close() {
        while (entered > 0) {
            UseGuard guard = guards[--entered];
            if (guard != null) {
                guard.exit();
            }
        }
    }
}
