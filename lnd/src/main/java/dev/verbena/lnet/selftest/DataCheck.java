// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The words of a brw test's data that hold the pattern and are checked. Source: {@code brw_test.c}. */
public enum DataCheck {
    /** None. */
    NONE(1),
    /** The first and the last word of each page. */
    SIMPLE(2),
    /** All. */
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

    /**
     * The check with a number of a message.
     *
     * @throws IllegalArgumentException if there is none
     */
    static DataCheck numbered(int number) {
        return switch (number) {
            case 1, DISCARD -> NONE;
            case 2 -> SIMPLE;
            case 3 -> FULL;
            default -> throw new IllegalArgumentException("no check has the number " + number);
        };
    }

    /** Writes the pattern, in the byte order of the requester. The length is a multiple of 8. */
    void fill(MemorySegment data, ByteOrder order) {
        ValueLayout.OfLong layout = layout(order);
        for (long at = first(data); at < data.byteSize(); at = next(at, data)) {
            data.set(layout, at, PATTERN);
        }
    }

    /** Where the first word is that should hold the pattern and does not; -1 if all do. */
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

    /** The next word: simply the next one, or from the first of a page the last of it, and from there the next page. */
    private long next(long at, MemorySegment data) {
        if (this == FULL) {
            return at + WORD;
        }
        long last = Math.min(at - at % PAGE + PAGE, data.byteSize()) - WORD;
        return at == last ? at + WORD : last;
    }
}
