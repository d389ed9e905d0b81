// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The optional checksum of a message: for each byte rotate left by one and add the byte. The checksum covers the whole
 * message with zeros in its own field; a sum of 0 is sent as 1.
 *
 * <p>The byte is a C {@code char}, so hosts disagree about its sign; a receiver accepts both.
 */
public enum Checksum {
    /** Bytes above 127 count as negative: x86 kernels before Linux 6.2. */
    SIGNED_CHAR {
        @Override
        int widen(byte value) {
            return value;
        }
    },
    /** Bytes count from 0 to 255: other processors, and every kernel since Linux 6.2. */
    UNSIGNED_CHAR {
        @Override
        int widen(byte value) {
            return value & 0xff;
        }
    };

    private static final int FIELD_END = MessageHeader.CKSUM + Integer.BYTES;

    abstract int widen(byte value);

    /**
     * Computes the sum.
     *
     * @param segment holds the message
     * @param offset where it starts
     * @param length its bytes
     * @return the checksum, never 0
     */
    public int compute(MemorySegment segment, long offset, long length) {
        int sum = 0;
        for (long i = 0; i < length; i++) {
            boolean field = i >= MessageHeader.CKSUM && i < FIELD_END;
            int value = field ? 0 : widen(segment.get(ValueLayout.JAVA_BYTE, offset + i));
            sum = Integer.rotateLeft(sum, 1) + value;
        }
        return sum == 0 ? 1 : sum;
    }

    /**
     * Returns whether a received sum is right by either reading of {@code char}.
     *
     * @param checksum the checksum in the message
     * @param segment holds the message
     * @param offset where it starts
     * @param length its bytes
     * @return true if one of the two sums agrees
     */
    public static boolean matches(int checksum, MemorySegment segment, long offset, long length) {
        return UNSIGNED_CHAR.compute(segment, offset, length) == checksum
                || SIGNED_CHAR.compute(segment, offset, length) == checksum;
    }
}
