// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.util.List;

/**
 * The scatter-gather entries of a work request, all in one memory region.
 *
 * @param pieces one or more entries
 */
public record ScatterList(List<Piece> pieces) {
    /** The maximum number of scatter-gather entries. */
    public static final int MOST = 4;

    /** The maximum length of a scatter-gather entry in bytes. */
    public static final int LONGEST = 700;

    /** The gap between two scatter-gather entries in bytes. */
    public static final int GAP = 50;

    /** The length in bytes of a buffer that is large enough for every random list of scatter/gather entries. */
    public static final int MEMORY = MOST * (LONGEST + GAP);

    /**
     * A scatter/gather entry, which refers to a range of a buffer.
     *
     * @param offset the offset of the scatter/gather entry in the buffer, in bytes
     * @param length the length of the scatter/gather entry in bytes, at least 1
     */
    public record Piece(int offset, int length) {
        @Override
        public String toString() {
            return length + " bytes at " + offset;
        }
    }

    /** Copies the list. */
    public ScatterList {
        pieces = List.copyOf(pieces);
    }

    /** {@return the sum of the lengths of all scatter/gather entries in bytes} */
    public int length() {
        return pieces.stream().mapToInt(Piece::length).sum();
    }

    @Override
    public String toString() {
        return pieces.toString();
    }

    /**
     * Creates a random list of scatter/gather entries. Each scatter/gather entry has 1 to {@link ScatterList#LONGEST}
     * bytes, so it may need several packets.
     */
    public static final class Any implements Arbitrary<ScatterList> {
        /** The annotation {@link From} needs this constructor. */
        public Any() {}

        @Override
        public ScatterList draw(Choices choices) {
            return new ScatterList(choices.list(1, MOST, Any::piece));
        }

        private static Piece piece(Choices choices) {
            return new Piece(choices.between(0, MEMORY - LONGEST), choices.between(1, choices.of(8, LONGEST)));
        }
    }
}
