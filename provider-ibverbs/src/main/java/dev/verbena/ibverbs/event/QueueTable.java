// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the object of a pointer that an event carries. An object is here from its creation until it is destroyed. */
public final class QueueTable {
    private final NativeAsyncEvents events;
    private final Map<Long, Object> byAddress = new ConcurrentHashMap<>();

    /**
     * Makes an empty table.
     *
     * @param events the events that are queued for the objects
     */
    public QueueTable(NativeAsyncEvents events) {
        this.events = events;
    }

    public void add(MemorySegment pointer, Object queue) {
        byAddress.put(pointer.address(), queue);
    }

    /** An object was destroyed: removes it and its events. Its address may be another's by now, which stays. */
    public void remove(MemorySegment pointer, Object queue) {
        byAddress.remove(pointer.address(), queue);
        events.forget(queue);
    }

    public <T> Optional<T> find(MemorySegment pointer, Class<T> type) {
        Object found = byAddress.get(pointer.address());
        return type.isInstance(found) ? Optional.of(type.cast(found)) : Optional.empty();
    }
}
