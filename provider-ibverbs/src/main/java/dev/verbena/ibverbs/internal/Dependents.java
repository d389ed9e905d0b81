// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The open objects that prevent another object from being closed. Thread-safe. */
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

    /** Returns the names of some of the open objects, for an error message. */
    public synchronized String describe() {
        String names = open.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
        int more = open.size() - NAMED;
        return names + (more > 0 ? " and " + more + " more" : "");
    }

    /** If there are open objects, throws {@code EBUSY} with their names, because they must be closed first. */
    public synchronized void requireNone(String verb, Object needed) throws VerbsException {
        if (!open.isEmpty()) {
            throw new VerbsException(Errno.EBUSY, verb, needed + " is in use by " + describe() + "; close these first");
        }
    }
}
