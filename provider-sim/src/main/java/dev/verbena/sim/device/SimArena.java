package dev.verbena.sim.device;

import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory for registration: a shared arena that counts the regions over it. */
final class SimArena implements VerbsArena {
    private final Arena memory = Arena.ofShared();
    private final Children regions = new Children();
    private final SimContext context;

    SimArena(SimContext context) {
        this.context = context;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return memory.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return memory.scope();
    }

    /** The regions over this arena. */
    Children regions() {
        return regions;
    }

    @Override
    public synchronized void close() {
        try {
            regions.close("Arena.close", this);
        } catch (VerbsException busy) {
            throw new VerbsBusyException(
                    "the arena is covered by open memory regions; close them first: " + busy.getMessage());
        }
        // Fails while the memory is used otherwise, such as by a channel that reads into it; then it can be tried
        // again.
        if (memory.scope().isAlive()) {
            memory.close();
        }
        context.forget(this);
    }

    @Override
    public String toString() {
        return "arena of " + context.name();
    }
}
