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

/** The open objects that keep another one from being closed. May be used from several threads. */
final class Children {
    private static final int NAMED = 5;

    private final boolean traced;
    /** With the stack that added it, if that is wanted. */
    private final Map<Object, Optional<Throwable>> open = new LinkedHashMap<>();

    /** Written under the monitor. */
    private volatile boolean closed;

    /** Remembers no stacks. */
    Children() {
        this(LeakDetection.OFF);
    }

    Children(LeakDetection level) {
        traced = level == LeakDetection.TRACED;
    }

    /** Adds an object; false if the parent is closed. */
    synchronized boolean add(Object child) {
        return !closed && open.putIfAbsent(child, opened(child)) == null;
    }

    private Optional<Throwable> opened(Object child) {
        return traced ? Optional.of(new Throwable(child + " was opened here")) : Optional.empty();
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
            String names =
                    open.keySet().stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
            int more = open.size() - NAMED;
            VerbsException refused = new VerbsException(
                    Errno.EBUSY,
                    verb,
                    parent + " is in use by " + names + (more > 0 ? " and " + more + " more" : "")
                            + "; close these first");
            // Each says where its object was opened.
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

    /** Shows each object that is open at this moment, with the stack that opened it. */
    void forEach(BiConsumer<Object, Optional<Throwable>> visitor) {
        Map<Object, Optional<Throwable>> now;
        synchronized (this) {
            now = new LinkedHashMap<>(open);
        }
        now.forEach(visitor);
    }
}
