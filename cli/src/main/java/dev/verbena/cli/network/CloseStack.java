// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes the resources that the Guice modules created, in reverse order of creation. Not thread-safe. */
public final class CloseStack implements Closeable {
    private final Deque<Closeable> closings = new ArrayDeque<>();

    public <T> T add(T resource, Closeable closing) {
        closings.push(closing);
        return resource;
    }

    /** Closes all resources, even if closing one fails, and then throws the first failure. */
    @Override
    public void close() throws IOException {
        if (closings.isEmpty()) {
            return;
        }
        // Even if closing one resource throws, the try statement closes the other resources of the stack.
        try (Closeable _ = this) {
            closings.pop().close();
        }
    }
}
