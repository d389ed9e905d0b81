package dev.verbena.conformance.rules;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;

/**
 * The entries of a work request, as parts of a memory.
 *
 * @param pieces one or more
 */
public record ScatterList(List<Piece> pieces) {
    static final int MOST = 4;
    static final int LONGEST = 700;
    static final int GAP = 50;
    static final int MEMORY = MOST * (LONGEST + GAP);

    /**
     * A part of a memory.
     *
     * @param offset where it begins
     * @param length bytes, at least 1
     */
    public record Piece(int offset, int length) {}

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

    /** Lists of pieces from a byte to some packets of 256 bytes. */
    public static final class Any implements ArbitrarySupplier<ScatterList> {
        /** For jqwik. */
        public Any() {}

        @Override
        public Arbitrary<ScatterList> get() {
            Arbitrary<Integer> length = Arbitraries.oneOf(
                    Arbitraries.integers().between(1, 8), Arbitraries.integers().between(1, LONGEST));
            Arbitrary<Integer> offset = Arbitraries.integers().between(0, MEMORY - LONGEST);
            return Combinators.combine(offset, length)
                    .as(Piece::new)
                    .list()
                    .ofMinSize(1)
                    .ofMaxSize(MOST)
                    .map(ScatterList::new);
        }
    }
}
