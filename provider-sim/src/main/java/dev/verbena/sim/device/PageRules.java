// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import java.lang.foreign.MemorySegment;
import java.util.List;

final class PageRules {
    /** The minimum page size, in bytes, that a page list may have. An operating system page may exceed 4096 bytes. */
    static final long PAGE = 4096;

    private PageRules() {}

    /**
     * Returns the number of leading memory segments that a page list ({@code IB_MR_TYPE_MEM_REG}) of {@code maxPages} pages
     * can map ({@code ib_sg_to_pages}). A segment can follow the previous segment if it begins where the previous segment
     * ends. A memory segment may also begin at any page boundary if the previous segment ends at a page boundary.
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
            // If this segment continues the previous segment within a page, the page list already contains this page.
            long firstPage = i > 0 && goesOn ? Math.ceilDiv(start, pageSize) : Math.floorDiv(start, pageSize);
            end = start + piece.byteSize();
            pages += Math.ceilDiv(end, pageSize) - firstPage;
            if (pages > maxPages) {
                return i;
            }
        }
        return pieces.size();
    }

    /** Returns the number of memory segments that an IB_MR_TYPE_SG_GAPS list can map. Each segment needs one entry. */
    static int withGaps(List<MemorySegment> pieces, int maxEntries) {
        return Math.min(pieces.size(), maxEntries);
    }
}
