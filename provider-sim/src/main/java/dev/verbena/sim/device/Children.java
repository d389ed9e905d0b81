package dev.verbena.sim.device;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The open objects that keep another one from being closed. May be used from several threads. */
final class Children {
    private static final int NAMED = 5;

    private final Set<Object> open = new LinkedHashSet<>();
    private boolean closed;

    /** Adds an object; false if the parent is closed. */
    synchronized boolean add(Object child) {
        return !closed && open.add(child);
    }

    synchronized void remove(Object child) {
        open.remove(child);
    }

    /** Closes the parent for new objects, if none is open; false if it was closed before. */
    synchronized boolean close(String verb, Object parent) throws VerbsException {
        if (closed) {
            return false;
        }
        if (!open.isEmpty()) {
            String names = open.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
            int more = open.size() - NAMED;
            throw new VerbsException(
                    Errno.EBUSY,
                    verb,
                    parent + " is in use by " + names + (more > 0 ? " and " + more + " more" : "")
                            + "; close these first");
        }
        closed = true;
        return true;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized List<Object> list() {
        return List.copyOf(open);
    }
}
