package dev.verbena.sim.memory;

import dev.verbena.verbs.RemoteKey;

/** A registration that calls map and unmap any number of times: kernel FMR. Each mapping has a new key. */
public final class FmrMemory extends RegisteredMemory {
    private final int granted;
    private int maps;

    FmrMemory(int key, Object domain, int granted) {
        super(key, domain);
        this.granted = granted;
    }

    /**
     * Maps memory under the next key. The former mapping, if there is one, ends first.
     *
     * @param memory the bytes
     * @param start the address of the first one
     * @param maxMaps how often this may be done without {@link #unmap}
     * @return false if it was done so often, or the region has ended, and then nothing happens
     */
    public synchronized boolean map(MemoryPieces memory, long start, int maxMaps) {
        if (maps == maxMaps || hasEnded()) {
            return false;
        }
        maps++;
        invalidate();
        validate(RemoteKey.increment(key()), domain(), granted, memory, 0, memory.length(), start);
        return true;
    }

    /** Ends the mapping; when this returns its key is dead and nobody touches the memory. */
    public synchronized void unmap() {
        maps = 0;
        invalidate();
        forget();
    }
}
