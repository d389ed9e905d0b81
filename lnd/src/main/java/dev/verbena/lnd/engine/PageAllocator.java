// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import java.util.BitSet;

/** Allocates contiguous pages by next fit: each search starts at the end of the last allocation. Not thread-safe. */
public final class PageAllocator {

    private final int capacity;
    private final BitSet used;
    private int rover;
    private int free;

    public PageAllocator(int capacity) {
        this.capacity = capacity;
        used = new BitSet(capacity);
        free = capacity;
    }

    /** Allocates contiguous pages. Returns the index of the first page; -1 if too few contiguous pages are free. */
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

    /** Frees contiguous pages. Throws an {@link IllegalArgumentException} if one of the pages is already free. */
    public void free(int first, int pages) {
        if (first < 0 || used.get(first, first + pages).cardinality() != pages) {
            throw new IllegalArgumentException(
                    "pages " + first + " to " + (first + pages - 1) + " are not all in use; were they freed before?");
        }
        used.clear(first, first + pages);
        free += pages;
    }

    public int freePages() {
        return free;
    }
}
