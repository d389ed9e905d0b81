package dev.verbena.sim.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a device's memory.
 *
 * @param offset the first byte
 * @param length how many bytes
 */
record Piece(int offset, int length) {
    private static final int PERMILLE = 1000;

    static int share(int permille, int whole) {
        return (int) ((long) permille * whole / PERMILLE);
    }

    /** This piece in several, cut at so many permille of it. */
    List<Piece> cut(List<Integer> cuts) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int permille : cuts.stream().sorted().toList()) {
            int end = share(permille, length);
            pieces.add(new Piece(offset + from, end - from));
            from = end;
        }
        pieces.add(new Piece(offset + from, length - from));
        return pieces;
    }

    int end() {
        return offset + length;
    }
}
