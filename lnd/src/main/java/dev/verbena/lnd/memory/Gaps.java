// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

/**
 * Decides whether a list of memory ranges has gaps within pages. The kernel module checks each page for a gap, and sets the
 * field {@code tx_gaps} if a page has a gap. This class checks only the start and the end of each memory range, because a
 * memory range is contiguous.
 */
final class Gaps {

    private static final long PAGE = NodeMemory.PAGE;

    private Gaps() {}

    /** Returns whether a gap between two successive memory ranges starts or ends within a page. */
    static boolean in(PieceList pieces) {
        for (int i = 1; i < pieces.count(); i++) {
            long end = pieces.end(i - 1);
            boolean goesOn = end == pieces.offset(i);
            boolean onPages = end % PAGE == 0 && pieces.offset(i) % PAGE == 0;
            if (!goesOn && !onPages) {
                return true;
            }
        }
        return false;
    }

    static boolean isContiguous(PieceList pieces) {
        for (int i = 1; i < pieces.count(); i++) {
            if (pieces.end(i - 1) != pieces.offset(i)) {
                return false;
            }
        }
        return true;
    }
}
