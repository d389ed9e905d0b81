// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import org.jspecify.annotations.Nullable;

/** Delays the destruction of several C objects, such as a {@code struct ibv_pd}, until {@link #close}. Not thread-safe. */
public final class Held implements AutoCloseable {
    private final @Nullable UseGuard[] guards;
    private int entered;

    /**
     * Delays the destruction of the C object of each {@link UseGuard} until {@link #close}. A null argument has no effect.
     * If one of the C objects is already destroyed, {@code Held} delays no destruction and throws {@link
     * IllegalStateException}.
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
