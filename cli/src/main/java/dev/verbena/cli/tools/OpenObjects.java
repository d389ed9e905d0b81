// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources of a device, such as MRs and QPs, in reverse order of their addition. Not thread-safe. */
public final class OpenObjects implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    public OpenObjects() {}

    /** Adds and returns a resource. Its {@code close} may throw no checked exception except {@code VerbsException}. */
    public <T extends AutoCloseable> T keep(T object) {
        open.push(object);
        return object;
    }

    /** Closes all resources, even if closing one fails, and then throws the first failure. */
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
