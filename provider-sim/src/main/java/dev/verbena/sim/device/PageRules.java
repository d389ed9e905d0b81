package dev.verbena.sim.device;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** How many pieces of memory one page list can hold. */
final class PageRules {
    /** The smallest page of a page list, which every device supports. It may be smaller than a page of the system. */
    static final long PAGE = 4096;

    private PageRules() {}

    /**
     * Counts the pieces that fit a list of pages without gaps, as {@code ib_sg_to_pages} does: a piece that neither starts on a
     * page nor where the piece before it ended is the first that does not fit, and so is one behind a piece that does not end on
     * a page, unless it goes on right there.
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
            // The page that the last piece ended in is in the list already.
            long firstPage = i > 0 && goesOn ? Math.ceilDiv(start, pageSize) : Math.floorDiv(start, pageSize);
            end = start + piece.byteSize();
            pages += Math.ceilDiv(end, pageSize) - firstPage;
            if (pages > maxPages) {
                return i;
            }
        }
        return pieces.size();
    }

    /** With gaps each piece is an entry of its own, whatever its borders. */
    static int withGaps(List<MemorySegment> pieces, int maxEntries) {
        return Math.min(pieces.size(), maxEntries);
    }
}
