package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory for registration: a shared arena that counts the regions over it. */
public final class NativeArena implements VerbsArena {
    private final Arena memory = Arena.ofShared();
    private final Dependents regions = new Dependents();
    private final Arenas arenas;
    private final String device;

    NativeArena(Arenas arenas, String device) {
        this.arenas = arenas;
        this.device = device;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return memory.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return memory.scope();
    }

    /**
     * Counts a region, unless the memory is gone already.
     *
     * @param region the region
     * @return false if it is gone
     */
    public synchronized boolean cover(Object region) {
        if (!memory.scope().isAlive()) {
            return false;
        }
        regions.add(region);
        return true;
    }

    /**
     * Counts a region no longer.
     *
     * @param region the region
     */
    public void uncover(Object region) {
        regions.remove(region);
    }

    @Override
    public synchronized void close() {
        if (!regions.isEmpty()) {
            throw new VerbsBusyException("the arena is covered by " + regions.describe() + "; close these first");
        }
        // Fails while the memory is used otherwise, such as by a channel that reads into it; then it can be tried
        // again.
        if (memory.scope().isAlive()) {
            memory.close();
        }
        arenas.remove(this);
    }

    @Override
    public String toString() {
        return "arena of " + device;
    }
}
