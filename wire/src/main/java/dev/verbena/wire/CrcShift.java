package dev.verbena.wire;

import java.util.zip.CRC32;

/**
 * Arithmetic with remainders of CRC-32, which is linear. The contribution of some bytes to the CRC of a message does
 * not depend on its other bytes, and moving it over further bytes is a multiplication. Remainders have the lowest power
 * of x in the highest bit, as the registers of {@link CRC32} have it.
 */
final class CrcShift {
    private static final int POLYNOMIAL = 0xedb8_8320;
    private static final int ONE = 1 << 31;

    /** The powers of x that move a remainder over 1, 2, 4, ... bytes; enough for 65535. */
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

    private static int timesX(int remainder) {
        return (remainder & 1) == 0 ? remainder >>> 1 : (remainder >>> 1) ^ POLYNOMIAL;
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

    private static int move(int remainder, int bytes, int[] powers) {
        int result = remainder;
        for (int i = 0, left = bytes; left != 0; i++, left >>>= 1) {
            if ((left & 1) != 0) {
                result = multiply(result, powers[i]);
            }
        }
        return result;
    }

    /** Moves a remainder back over {@code bytes} bytes. */
    static int back(int remainder, int bytes) {
        return move(remainder, bytes, BACK);
    }

    /**
     * Returns the change of a message's CRC if four of its bytes change; the first of them is {@code bytes} bytes
     * before the end.
     */
    static int difference(int fourBytes, int bytes) {
        return move(Integer.reverseBytes(fourBytes), bytes, FORWARD);
    }
}
