// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a device's memory.
 *
 * @param offset the offset of the first byte
 * @param length the number of bytes
 */
record MemoryRange(int offset, int length) {
    private static final int PERMILLE = 1000;

    static int share(int permille, int whole) {
        return (int) ((long) permille * whole / PERMILLE);
    }

    /** Returns this piece cut at the given permille of its length. */
    List<MemoryRange> cut(List<Integer> cuts) {
        List<MemoryRange> pieces = new ArrayList<>();
        int from = 0;
        for (int permille : cuts.stream().sorted().toList()) {
            int end = share(permille, length);
            pieces.add(new MemoryRange(offset + from, end - from));
            from = end;
        }
        pieces.add(new MemoryRange(offset + from, length - from));
        return pieces;
    }

    int end() {
        return offset + length;
    }
}
