// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A shared arena for {@link dev.verbena.verbs.Device#newArena()} of any provider. A memory region over memory of the arena
 * prevents the closing of the arena. Every device of the process can register memory of the arena, so all devices share one
 * list of open arenas. Thread-safe.
 *
 * @since 1.0
 */
public final class ProviderArena implements VerbsArena {
    private static final int NAMED = 5;
    private static final Map<MemorySegment.Scope, ProviderArena> OPEN = new ConcurrentHashMap<>();

    private final Arena memory = Arena.ofShared();
    private final Set<Object> regions = Collections.newSetFromMap(new IdentityHashMap<>());
    private final String device;
    private final long pageSize;
    private final Consumer<ProviderArena> onClose;

    /**
     * Creates an arena.
     *
     * @param device the name of the device that creates the arena; exception messages contain this name
     * @param pageSize the page size of the operating system in bytes, a power of two
     * @param onClose called each time {@link #close} succeeds
     */
    public ProviderArena(String device, long pageSize, Consumer<ProviderArena> onClose) {
        this.device = device;
        this.pageSize = pageSize;
        this.onClose = onClose;
        OPEN.put(memory.scope(), this);
    }

    /**
     * Finds the open arena that allocated a memory segment.
     *
     * @param segment any memory segment
     * @return the open arena that allocated the segment, or null; any device may have created the arena
     */
    public static @Nullable ProviderArena of(MemorySegment segment) {
        return OPEN.get(segment.scope());
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return memory.allocate(byteSize, byteAlignment);
    }

    @Override
    public long pageSize() {
        return pageSize;
    }

    @Override
    public MemorySegment.Scope scope() {
        return memory.scope();
    }

    /**
     * Prevents the closing of the arena until {@link #release} is called.
     *
     * @param region the object that prevents the closing of the arena: a memory region over the arena's memory, or a call
     *     that registers such a region. The arena compares the {@code region} objects by identity, not by {@code equals}
     * @return true if {@link #close} now fails until {@link #release} is called; false if the arena is already closed
     */
    public synchronized boolean hold(Object region) {
        boolean open = memory.scope().isAlive();
        if (open) {
            regions.add(region);
        }
        return open;
    }

    /**
     * Removes the hold that {@link #hold} set for an object. The object no longer prevents the closing of this arena.
     *
     * @param region the argument of {@link #hold}
     */
    public synchronized void release(Object region) {
        regions.remove(region);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (!regions.isEmpty()) {
                String names =
                        regions.stream().limit(NAMED).map(Object::toString).collect(Collectors.joining(", "));
                int more = regions.size() - NAMED;
                throw new VerbsBusyException(this + " is covered by open memory regions: " + names
                        + (more > 0 ? " and " + more + " more" : "") + "; close these first");
            }
            // `Arena.close` throws an exception while other code accesses the arena's memory, such as a java.nio
            // channel that reads into the memory. The caller can then retry `close`.
            if (memory.scope().isAlive()) {
                memory.close();
            }
            OPEN.remove(memory.scope());
        }
        onClose.accept(this);
    }

    @Override
    public String toString() {
        return "arena of " + device;
    }
}
