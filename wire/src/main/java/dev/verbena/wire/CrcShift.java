// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.util.zip.CRC32;

/**
 * Computes how a CRC changes when bytes are appended to a message or removed at its end, like {@code crc32_combine} of
 * zlib and {@code crc32_le_shift} of the kernel. CRC-32 is linear: the contribution of a byte to the CRC of a message
 * does not depend on the other bytes. Appending bytes to a message multiplies the contribution of each earlier byte to
 * the CRC by a power of x, modulo the CRC's polynomial. As in {@link CRC32}, the bits are reflected: the highest bit of
 * a CRC is the coefficient of x^0.
 */
final class CrcShift {
    private static final int POLYNOMIAL = 0xedb8_8320;
    private static final int ONE = 1 << 31;

    /** Element i is x^(8 * 2^i), modulo the CRC's polynomial. With 17 elements, a CRC can be shifted by 0..131071 bytes. */
    private static final int[] FORWARD = new int[17];

    private static final int[] BACK = new int[FORWARD.length];

    static {
        int forward = ONE;
        int back = ONE;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            forward = timesX(forward);
            back = back < 0 ? ((back ^ POLYNOMIAL) << 1) | 1 : back << 1;
        }
        for (int i = 0; i < FORWARD.length; i++) {
            FORWARD[i] = forward;
            BACK[i] = back;
            forward = multiply(forward, forward);
            back = multiply(back, back);
        }
    }

    private CrcShift() {}

    private static int timesX(int crc) {
        return (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
    }

    /** Returns the product of two polynomials, modulo the CRC's polynomial. */
    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            if (rest < 0) {
                product ^= shifted;
            }
            shifted = timesX(shifted);
        }
        return product;
    }

    private static int shift(int crc, int bytes, int[] powers) {
        int result = crc;
        for (int i = 0, left = bytes; left != 0; i++, left >>>= 1) {
            if ((left & 1) != 0) {
                result = multiply(result, powers[i]);
            }
        }
        return result;
    }

    /**
     * Returns the CRC that a message had before zero bytes were appended to it. The argument {@code crc} is the CRC of
     * the message including the zero bytes, and {@code bytes} is the number of zero bytes.
     */
    static int back(int crc, int bytes) {
        return shift(crc, bytes, BACK);
    }

    /**
     * Returns the XOR of the CRCs of two messages that differ only in four consecutive bytes. The argument {@code
     * fourBytes} is the XOR of the four differing bytes of one message with the same bytes of the other message. The
     * argument {@code bytes} is the length of a message from the first differing byte to the end.
     */
    static int difference(int fourBytes, int bytes) {
        return shift(Integer.reverseBytes(fourBytes), bytes, FORWARD);
    }
}
