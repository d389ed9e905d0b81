// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Closes the objects that an application opens, newest first, because a newer object may use an older one.
 *
 * <pre>{@code
 * try (VerbsScope scope = new VerbsScope()) {
 *     Device device = scope.opened(provider.open("sim0"));
 *     ProtectionDomain pd = scope.opened(device.allocatePd());
 *     ...
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 *
 * @since 1.0
 */
public final class VerbsScope implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Creates an empty {@code VerbsScope}. */
    public VerbsScope() {}

    /**
     * Adds an object, which {@link #close()} closes.
     *
     * @param <T> the type of the object
     * @param object the object that {@link #close()} closes; the application may close the object earlier
     * @return the object
     */
    public <T extends AutoCloseable> T opened(T object) {
        synchronized (open) {
            open.push(object);
        }
        return object;
    }

    /**
     * Closes all added objects, even if the close of some objects fails. An object whose close fails stays in this {@code
     * VerbsScope}, so that the application can call {@code close} again.
     *
     * @throws VerbsException the exception of the first object that cannot be closed; exceptions of later objects are
     *     its suppressed exceptions
     */
    @Override
    public void close() throws VerbsException {
        Deque<AutoCloseable> refusing = new ArrayDeque<>();
        @Nullable Throwable first = null;
        for (AutoCloseable object = next(); object != null; object = next()) {
            try {
                object.close();
            } catch (Exception refused) {
                refusing.push(object);
                if (first == null) {
                    first = refused;
                } else {
                    first.addSuppressed(refused);
                }
            }
        }
        synchronized (open) {
            refusing.forEach(open::push);
        }
        switch (first) {
            case null -> {}
            case VerbsException refused -> throw refused;
            case RuntimeException thrown -> throw thrown;
            default -> throw new IllegalStateException("an object outside of verbs could not be closed", first);
        }
    }

    private @Nullable AutoCloseable next() {
        synchronized (open) {
            return open.poll();
        }
    }
}
