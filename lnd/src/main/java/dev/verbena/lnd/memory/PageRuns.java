// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contiguous page ranges to which an FMR is mapped. All pages are in the node's registered memory. Two objects with the
 * same page ranges are equal. While a {@code PageRuns} object is the key of a map entry, {@link #set} must not be called on
 * the object. Not thread-safe.
 */
final class PageRuns {

    /** The start and the end offset of each contiguous page range, alternating. */
    private long[] bounds;

    private int used;

    PageRuns() {
        bounds = new long[2];
    }

    private PageRuns(long[] bounds) {
        this.bounds = bounds;
        used = bounds.length;
    }

    /**
     * Sets this object to the contiguous page ranges that contain the given ranges of the node's registered memory. If
     * {@code gaps} is false, adjacent memory ranges belong to one page range, even if their boundary is within a page.
     */
    void set(PieceList pieces, boolean gaps) {
        ensureRoom(2 * pieces.count());
        used = 0;
        for (int i = 0; i < pieces.count(); i++) {
            long first = pieces.offset(i) / NodeMemory.PAGE * NodeMemory.PAGE;
            long end = Math.ceilDiv(pieces.end(i), NodeMemory.PAGE) * NodeMemory.PAGE;
            boolean goesOn = i > 0 && !gaps && pieces.offset(i) == pieces.end(i - 1);
            if (used == 0 || (!goesOn && first != bounds[used - 1])) {
                bounds[used] = first;
                used += 2;
            }
            bounds[used - 1] = end;
        }
    }

    private void ensureRoom(int room) {
        if (room > bounds.length) {
            bounds = new long[room];
        }
    }

    PageRuns copy() {
        return new PageRuns(Arrays.copyOf(bounds, used));
    }

    /** Returns the contiguous page ranges as slices of the memory segment {@code memory}. */
    List<MemorySegment> in(MemorySegment memory) {
        List<MemorySegment> runs = new ArrayList<>(used / 2);
        for (int i = 0; i < used; i += 2) {
            runs.add(memory.asSlice(bounds[i], bounds[i + 1] - bounds[i]));
        }
        return runs;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PageRuns that && Arrays.equals(bounds, 0, used, that.bounds, 0, that.used);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = 0; i < used; i++) {
            hash = 31 * hash + Long.hashCode(bounds[i]);
        }
        return hash;
    }
}
