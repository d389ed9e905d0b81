package dev.verbena.cli;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what the injector's modules made, the last first. For one thread. */
final class CloseStack implements Closeable {
    private final Deque<Closeable> closings = new ArrayDeque<>();

    /** Remembers how a resource is closed, and returns the resource. */
    <T> T add(T resource, Closeable closing) {
        closings.push(closing);
        return resource;
    }

    /** Closes everything, also after a failure; throws the first one. */
    @Override
    public void close() throws IOException {
        if (closings.isEmpty()) {
            return;
        }
        // The rest is closed after this one, whatever happens to it.
        try (Closeable _ = this) {
            closings.pop().close();
        }
    }
}
