// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import org.jspecify.annotations.Nullable;

/** Keeps several native objects open until {@link #close} is called. Not thread-safe. */
public final class Held implements AutoCloseable {
    private final @Nullable UseGuard[] guards;
    private int entered;

    /**
     * Keeps the native object of each guard open until {@link #close} is called. A null argument has no effect. If one of
     * these native objects is already closed, {@code Held} keeps none of them open and throws {@link
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
