// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The open objects that keep another one from being closed. May be used from several threads. */
public final class Dependents {
    private static final int NAMED = 5;

    private final Set<Object> open = new LinkedHashSet<>();

    /** Makes an empty record. */
    public Dependents() {}

    /**
     * Notes one.
     *
     * @param dependent an object that was made
     */
    public synchronized void add(Object dependent) {
        open.add(dependent);
    }

    /**
     * Forgets one.
     *
     * @param dependent an object that was closed
     */
    public synchronized void remove(Object dependent) {
        open.remove(dependent);
    }

    /**
     * Returns whether nothing is open.
     *
     * @return whether that is so
     */
    public synchronized boolean isEmpty() {
        return open.isEmpty();
    }

    /**
     * Names some of them.
     *
     * @return text for a message
     */
    public synchronized String describe() {
        String names = open.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
        int more = open.size() - NAMED;
        return names + (more > 0 ? " and " + more + " more" : "");
    }

    /**
     * Refuses to close the object that they need.
     *
     * @param verb the verb that closes it, in its C spelling
     * @param needed the object
     * @throws VerbsException {@code EBUSY} with their names, if there are any
     */
    public synchronized void requireNone(String verb, Object needed) throws VerbsException {
        if (!open.isEmpty()) {
            throw new VerbsException(Errno.EBUSY, verb, needed + " is in use by " + describe() + "; close these first");
        }
    }
}
