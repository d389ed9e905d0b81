// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import org.jspecify.annotations.Nullable;

/** Keeps several native objects open until this Held is closed. Not thread-safe. */
public final class Held implements AutoCloseable {
    private final @Nullable UseGuard[] guards;
    private int entered;

    /**
     * Enters the guards of the objects, in the order of the arguments; null stands for an object without a guard. If
     * one object is closed, leaves all guards and throws IllegalStateException.
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
