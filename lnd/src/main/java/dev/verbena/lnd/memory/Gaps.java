// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

/**
 * Decides whether a list of pieces has gaps. Source: {@code tx_gaps}, which checks each page of a piece; checking
 * pieces is enough, because two pages of one piece have no gap between them.
 */
final class Gaps {

    private static final long PAGE = NodeMemory.PAGE;

    private Gaps() {}

    /** Returns whether a piece ends or the next one starts within a page, and the two are not adjacent. */
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

    /** Returns whether each piece starts where the previous piece ends. */
    static boolean isContiguous(PieceList pieces) {
        for (int i = 1; i < pieces.count(); i++) {
            if (pieces.end(i - 1) != pieces.offset(i)) {
                return false;
            }
        }
        return true;
    }
}
