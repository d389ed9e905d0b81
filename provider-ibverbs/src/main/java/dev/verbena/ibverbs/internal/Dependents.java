// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The objects, such as memory regions or CM events, that must be closed before another object, such as a protection domain
 * or connection id. Thread-safe.
 */
public final class Dependents {
    private static final int NAMED = 5;

    private final Set<Object> open = new LinkedHashSet<>();

    public Dependents() {}

    public synchronized void add(Object dependent) {
        open.add(dependent);
    }

    public synchronized void remove(Object dependent) {
        open.remove(dependent);
    }

    public synchronized boolean isEmpty() {
        return open.isEmpty();
    }

    /** Returns the names of at most {@link #NAMED} dependent objects, for an error message. */
    public synchronized String describe() {
        String names = open.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
        int more = open.size() - NAMED;
        return names + (more > 0 ? " and " + more + " more" : "");
    }

    /** Throws {@code EBUSY} with the names of the dependent objects if a dependent object is not yet closed. */
    public synchronized void requireNone(String verb, Object needed) throws VerbsException {
        if (!open.isEmpty()) {
            throw new VerbsException(Errno.EBUSY, verb, needed + " is in use by " + describe() + "; close these first");
        }
    }
}
