// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the Java object for the C pointer in an event. The table contains no destroyed objects. */
public final class QueueTable {
    private final NativeAsyncEvents events;
    private final Map<Long, Object> byAddress = new ConcurrentHashMap<>();

    public QueueTable(NativeAsyncEvents events) {
        this.events = events;
    }

    public void add(MemorySegment pointer, Object queue) {
        byAddress.put(pointer.address(), queue);
    }

    /**
     * Removes a destroyed object from the table, and the events of this object from the event queue. This method does not
     * remove a new object that has the address of the destroyed object.
     */
    public void remove(MemorySegment pointer, Object queue) {
        byAddress.remove(pointer.address(), queue);
        events.forget(queue);
    }

    public <T> Optional<T> find(MemorySegment pointer, Class<T> type) {
        Object found = byAddress.get(pointer.address());
        return type.isInstance(found) ? Optional.of(type.cast(found)) : Optional.empty();
    }
}
