package dev.verbena.ibverbs;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The open objects that keep another one from being closed. May be used from several threads. */
final class Dependents {
    private static final int NAMED = 5;

    private final Set<Object> open = new LinkedHashSet<>();

    synchronized void add(Object dependent) {
        open.add(dependent);
    }

    synchronized void remove(Object dependent) {
        open.remove(dependent);
    }

    synchronized boolean isEmpty() {
        return open.isEmpty();
    }

    /** Names some of them. */
    synchronized String describe() {
        String names = open.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
        int more = open.size() - NAMED;
        return names + (more > 0 ? " and " + more + " more" : "");
    }

    /** Refuses to close the object that they need. */
    synchronized void requireNone(String verb, Object needed) throws VerbsException {
        if (!open.isEmpty()) {
            throw new VerbsException(Errno.EBUSY, verb, needed + " is in use by " + describe() + "; close these first");
        }
    }
}
