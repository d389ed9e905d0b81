// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import org.jspecify.annotations.Nullable;

/** Keeps several objects open until this object is closed. Not thread-safe. */
public final class Held implements AutoCloseable {
    private final @Nullable UseGuard[] guards;
    private int entered;

    /**
     * Enters the guards of the objects, in the order of the arguments; a null guard is skipped. If an object is closed,
     * throws {@link IllegalStateException}, and no guard stays entered.
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
