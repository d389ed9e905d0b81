// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** The open verbs objects that prevent their parent from being closed. Thread-safe. */
final class Children {
    private static final int NAMED = 5;

    private final boolean traced;
    /**
     * Maps each open object to the stack trace of the object's creation. Unless leak detection is TRACED, the map contains
     * no stack traces.
     */
    private final Map<Object, Optional<Throwable>> open = new LinkedHashMap<>();

    private volatile boolean closed;

    Children() {
        this(LeakDetection.OFF);
    }

    Children(LeakDetection level) {
        this(level == LeakDetection.TRACED);
    }

    private Children(boolean traced) {
        this.traced = traced;
    }

    /** Creates an empty set for the children of one object. The new set has the leak detection level of this set. */
    Children below() {
        return new Children(traced);
    }

    synchronized boolean add(Object child) {
        return !closed && open.putIfAbsent(child, opened(child)) == null;
    }

    private Optional<Throwable> opened(Object child) {
        return traced ? Optional.of(new Throwable(child + " was opened here")) : Optional.empty();
    }

    synchronized void remove(Object child) {
        open.remove(child);
    }

    /**
     * Marks the parent object as closed, so that no further child object can be added. Fails with EBUSY if a child is
     * open; returns false if the parent was already closed.
     */
    synchronized boolean close(String verb, Object parent) throws VerbsException {
        if (closed) {
            return false;
        }
        if (!open.isEmpty()) {
            String names =
                    open.keySet().stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
            int more = open.size() - NAMED;
            VerbsException refused = new VerbsException(
                    Errno.EBUSY,
                    verb,
                    parent + " is in use by " + names + (more > 0 ? " and " + more + " more" : "")
                            + "; close these first");
            // For each object in the message, a suppressed exception shows the stack trace of its creation (if TRACED).
            open.values().stream().limit(NAMED).flatMap(Optional::stream).forEach(refused::addSuppressed);
            throw refused;
        }
        closed = true;
        return true;
    }

    boolean isClosed() {
        return closed;
    }

    synchronized List<Object> list() {
        return List.copyOf(open.keySet());
    }

    void forEach(BiConsumer<Object, Optional<Throwable>> visitor) {
        Map<Object, Optional<Throwable>> now;
        synchronized (this) {
            now = new LinkedHashMap<>(open);
        }
        now.forEach(visitor);
    }
}
