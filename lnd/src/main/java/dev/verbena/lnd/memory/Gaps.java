// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

/**
 * Whether a list of pieces has holes. Source: {@code tx_gaps}. {@code tx_gaps} checks each page of a piece on its own;
 * two pages of one piece never have a hole between them, so checking pieces is enough.
 */
final class Gaps {

    private static final long PAGE = NodeMemory.PAGE;

    private Gaps() {}

    /**
     * Returns whether a list has a hole: one piece ends or the next one starts inside a page, and the next piece does
     * not start right at that end.
     */
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

    /** Returns whether the pieces are one run of bytes. */
    static boolean isContiguous(PieceList pieces) {
        for (int i = 1; i < pieces.count(); i++) {
            if (pieces.end(i - 1) != pieces.offset(i)) {
                return false;
            }
        }
        return true;
    }
}
