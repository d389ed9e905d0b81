// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The optional checksum of a message: for each byte, the sum is rotated left by one bit, and the byte is added. The sum
 * includes the bytes of the checksum field as zeros. The sender replaces a sum of 0 by 1.
 *
 * <p>The kernel adds each byte as a C {@code char}, which is signed on some hosts and unsigned on others. The method
 * {@link #matches} accepts the sum of the signed bytes and the sum of the unsigned bytes.
 */
public enum Checksum {
    /** The checksum of an LND message adds bytes above 127 as negative numbers, as x86 kernels before Linux 6.2 do. */
    SIGNED_CHAR {
        @Override
        int widen(byte value) {
            return value;
        }
    },
    /**
     * The checksum of an LND message adds each byte as a number from 0 to 255. All kernels since Linux 6.2 add unsigned
     * bytes. Kernels before Linux 6.2 add unsigned bytes only on architectures with an unsigned {@code char}.
     */
    UNSIGNED_CHAR {
        @Override
        int widen(byte value) {
            return value & 0xff;
        }
    };

    private static final int FIELD_END = MessageHeader.CKSUM + Integer.BYTES;

    abstract int widen(byte value);

    /**
     * {@return the checksum of a message; never 0}
     *
     * @param segment the memory that contains the message
     * @param offset the offset of the message in the segment, in bytes
     * @param length the length of the message in bytes
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
     * {@return whether {@code checksum} equals the {@code SIGNED_CHAR} or {@code UNSIGNED_CHAR} checksum of a message}
     *
     * @param checksum the checksum in the message
     * @param segment the memory that contains the message
     * @param offset the offset of the message in the segment, in bytes
     * @param length the length of the message in bytes
     */
    public static boolean matches(int checksum, MemorySegment segment, long offset, long length) {
        return UNSIGNED_CHAR.compute(segment, offset, length) == checksum
                || SIGNED_CHAR.compute(segment, offset, length) == checksum;
    }
}
