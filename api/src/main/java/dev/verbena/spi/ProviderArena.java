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
 * A shared arena that counts the regions over its memory, for {@link dev.verbena.verbs.Device#newArena()} of any provider. The
 * memory may be registered with every device of the process, so the open arenas are recorded for the process.
 *
 * <p>May be used from several threads.
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
     * Makes an arena.
     *
     * @param device the name of the device that it was made by
     * @param pageSize the size of a page of the system's memory in bytes, a power of two
     * @param onClose called each time {@link #close} succeeds
     */
    public ProviderArena(String device, long pageSize, Consumer<ProviderArena> onClose) {
        this.device = device;
        this.pageSize = pageSize;
        this.onClose = onClose;
        OPEN.put(memory.scope(), this);
    }

    /**
     * Finds the open arena of a segment.
     *
     * @param segment any segment
     * @return its arena, of any device; null if it has none
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
     * Keeps the arena from being closed.
     *
     * @param region a region over its memory, or the call that is registering one; compared by identity
     * @return false if the arena is closed
     */
    public synchronized boolean hold(Object region) {
        boolean open = memory.scope().isAlive();
        if (open) {
            regions.add(region);
        }
        return open;
    }

    /**
     * Ends {@link #hold}.
     *
     * @param region the region
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
            // Fails while the memory is used otherwise, such as by a channel that reads into it; then it can be tried
            // again.
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
