// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import java.util.BitSet;

/** Hands out runs of pages: first fit from where the last search ended. Not thread-safe. */
public final class PageAllocator {

    private final int capacity;
    private final BitSet used;
    private int rover;
    private int free;

    /**
     * Creates an allocator with only free pages.
     *
     * @param capacity how many pages there are
     */
    public PageAllocator(int capacity) {
        this.capacity = capacity;
        used = new BitSet(capacity);
        free = capacity;
    }

    /**
     * Takes a run of pages.
     *
     * @param pages how many, 1 or more
     * @return the first page, or -1 if no run is long enough
     */
    public int allocate(int pages) {
        if (pages > free) {
            return -1;
        }
        int found = search(rover, capacity, pages);
        if (found < 0) {
            found = search(0, Math.min(capacity, rover + pages - 1), pages);
        }
        if (found >= 0) {
            used.set(found, found + pages);
            free -= pages;
            rover = found + pages;
        }
        return found;
    }

    private int search(int from, int to, int pages) {
        int start = used.nextClearBit(from);
        while (start + pages <= to) {
            int end = used.nextSetBit(start);
            if (end < 0 || end - start >= pages) {
                return start;
            }
            start = used.nextClearBit(end);
        }
        return -1;
    }

    /**
     * Frees a run of pages.
     *
     * @param first the first page
     * @param pages how many
     * @throws IllegalArgumentException if one of them is free
     */
    public void free(int first, int pages) {
        if (first < 0 || used.get(first, first + pages).cardinality() != pages) {
            throw new IllegalArgumentException(
                    "pages " + first + " to " + (first + pages - 1) + " are not all in use; were they freed before?");
        }
        used.clear(first, first + pages);
        free += pages;
    }

    /** {@return the pages that are free, 0 to the capacity} */
    public int freePages() {
        return free;
    }
}
