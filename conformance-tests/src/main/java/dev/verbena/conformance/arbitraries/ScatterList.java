// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.util.List;

/**
 * The entries of a work request, as parts of a memory.
 *
 * @param pieces one or more
 */
public record ScatterList(List<Piece> pieces) {
    /** The most pieces. */
    public static final int MOST = 4;

    /** The most bytes of a piece. */
    public static final int LONGEST = 700;

    /** Bytes between places that do not touch. */
    public static final int GAP = 50;

    /** Bytes of memory that hold every list. */
    public static final int MEMORY = MOST * (LONGEST + GAP);

    /**
     * A part of a memory.
     *
     * @param offset where it begins
     * @param length bytes, at least 1
     */
    public record Piece(int offset, int length) {
        @Override
        public String toString() {
            return length + " bytes at " + offset;
        }
    }

    /** Keeps its own copy of the list. */
    public ScatterList {
        pieces = List.copyOf(pieces);
    }

    /**
     * Adds up the pieces.
     *
     * @return bytes
     */
    public int length() {
        return pieces.stream().mapToInt(Piece::length).sum();
    }

    @Override
    public String toString() {
        return pieces.toString();
    }

    /** Lists of pieces from a byte to some packets of 256 bytes. */
    public static final class Any implements Arbitrary<ScatterList> {
        /** For {@link From}. */
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
