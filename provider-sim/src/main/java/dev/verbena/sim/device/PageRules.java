// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import java.lang.foreign.MemorySegment;
import java.util.List;

final class PageRules {
    /** The page size of a page list, which every device supports. The operating system may use larger pages. */
    static final long PAGE = 4096;

    private PageRules() {}

    /**
     * Counts the pieces of memory that fit a page list without gaps, as {@code ib_sg_to_pages} does. A piece fits if it begins
     * at the end of the previous piece, or if it begins and the previous piece ends on a page boundary. Counting stops at the
     * first piece that does not fit, or that exceeds the limit in the parameter {@code maxPages}.
     */
    static int withoutGaps(List<MemorySegment> pieces, long pageSize, int maxPages) {
        long pages = 0;
        long end = 0;
        for (int i = 0; i < pieces.size(); i++) {
            MemorySegment piece = pieces.get(i);
            long start = piece.address();
            boolean goesOn = start == end;
            boolean onPages = start % pageSize == 0 && end % pageSize == 0;
            if (i > 0 && !goesOn && !onPages) {
                return i;
            }
            // The page list already has the page in which the previous piece ended.
            long firstPage = i > 0 && goesOn ? Math.ceilDiv(start, pageSize) : Math.floorDiv(start, pageSize);
            end = start + piece.byteSize();
            pages += Math.ceilDiv(end, pageSize) - firstPage;
            if (pages > maxPages) {
                return i;
            }
        }
        return pieces.size();
    }

    /** Counts the pieces of memory that fit a page list with gaps, in which each piece is one entry of any alignment. */
    static int withGaps(List<MemorySegment> pieces, int maxEntries) {
        return Math.min(pieces.size(), maxEntries);
    }
}
