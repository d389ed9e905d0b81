// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import dev.verbena.verbs.RemoteKey;

/** A kernel FMR: a memory region for any number of map and unmap calls. Each mapping of memory uses a new key. */
public final class FmrMemory extends RegisteredMemory {
    private final int granted;
    private int maps;

    FmrMemory(int key, Object domain, int granted) {
        super(key, domain);
        this.granted = granted;
    }

    /**
     * Removes the current mapping of the FMR, and maps memory under the next key. Returns false, without an effect, if
     * {@code maxMaps} mappings have been made since the last {@link #unmap}, or if the region has been deregistered.
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

    /**
     * Removes the mapping. When {@code unmap} returns, the key of the FMR is invalid and no access to its memory is in
     * progress.
     */
    public synchronized void unmap() {
        maps = 0;
        invalidate();
        forget();
    }
}
