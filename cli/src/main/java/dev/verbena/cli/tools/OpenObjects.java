package dev.verbena.cli.tools;

import dev.verbena.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Objects of a device that are to be closed together, the last first. For one thread. */
public final class OpenObjects implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Makes it empty. */
    public OpenObjects() {}

    /**
     * Remembers an object.
     *
     * @param object what to close; fails with VerbsException only
     * @param <T> its type
     * @return the object
     */
    public <T extends AutoCloseable> T keep(T object) {
        open.push(object);
        return object;
    }

    /** Closes everything, also after a failure; throws the first one. */
    @Override
    public void close() throws VerbsException {
        VerbsException first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (VerbsException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                throw new AssertionError("objects of a device fail with VerbsException only", e);
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
