// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Selects the data words that a brw test writes and checks. Source: {@code brw_test.c}. */
public enum DataCheck {
    /** No word is checked. */
    NONE(1),
    /** The test checks the first and the last word of each page. */
    SIMPLE(2),
    /** All words are checked. */
    FULL(3);

    private static final int DISCARD = 4;
    private static final int WORD = Long.BYTES;
    private static final int PAGE = 4096;
    private static final long PATTERN = 0xeeb0eeb1eeb2eeb3L;
    private static final ValueLayout.OfLong LITTLE = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong BIG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final int number;

    DataCheck(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static boolean isNumber(int number) {
        return number >= NONE.number && number <= DISCARD;
    }

    static DataCheck numbered(int number) {
        return switch (number) {
            case 1, DISCARD -> NONE;
            case 2 -> SIMPLE;
            case 3 -> FULL;
            default -> throw new IllegalArgumentException("no check has the number " + number);
        };
    }

    /**
     * Writes {@code PATTERN}, in the given byte order, to the words that the brw test checks. The length of
     * {@code data} must be a multiple of 8 bytes.
     */
    void fill(MemorySegment data, ByteOrder order) {
        ValueLayout.OfLong layout = layout(order);
        for (long at = first(data); at < data.byteSize(); at = next(at, data)) {
            data.set(layout, at, PATTERN);
        }
    }

    /** Returns the offset of the first checked word that is not {@code PATTERN}, or -1. */
    long firstWrong(MemorySegment data, ByteOrder order) {
        ValueLayout.OfLong layout = layout(order);
        for (long at = first(data); at < data.byteSize(); at = next(at, data)) {
            if (data.get(layout, at) != PATTERN) {
                return at;
            }
        }
        return -1;
    }

    private static ValueLayout.OfLong layout(ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? LITTLE : BIG;
    }

    private long first(MemorySegment data) {
        return this == NONE ? data.byteSize() : 0;
    }

    /** Returns the offset of the next checked word after offset {@code at}. */
    private long next(long at, MemorySegment data) {
        if (this == FULL) {
            return at + WORD;
        }
        long last = Math.min(at - at % PAGE + PAGE, data.byteSize()) - WORD;
        return at == last ? at + WORD : last;
    }
}
