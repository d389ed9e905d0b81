// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.util.zip.CRC32;

/**
 * Shifts CRCs over bytes that do not change, as {@code crc32_combine} of zlib and {@code crc32_le_shift} of the kernel
 * do. CRC-32 is linear: the contribution of some bytes to the CRC of a message does not depend on the other bytes, and
 * shifting it over later bytes is a multiplication of polynomials. A CRC has the lowest power of x in its highest bit,
 * as the registers of {@link CRC32} have it.
 */
final class CrcShift {
    private static final int POLYNOMIAL = 0xedb8_8320;
    private static final int ONE = 1 << 31;

    /** The powers of x that shift a CRC over 1, 2, 4, ... bytes; enough for 65535. */
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

    /** The product of two polynomials, modulo that of the CRC. */
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

    /** Returns a CRC without its last {@code bytes} bytes, which are zeros. */
    static int back(int crc, int bytes) {
        return shift(crc, bytes, BACK);
    }

    /**
     * Returns the difference of a message's CRC if four of its bytes change; the first of them is {@code bytes} bytes
     * before the end.
     */
    static int difference(int fourBytes, int bytes) {
        return shift(Integer.reverseBytes(fourBytes), bytes, FORWARD);
    }
}
