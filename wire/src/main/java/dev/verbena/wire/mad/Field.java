// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * A field of a message. The constants of a class are its table of fields, and everything else about them follows from
 * it.
 *
 * @param <M> the class of the message
 * @param name the name in {@code toString}
 * @param octet offset of its first byte in the message, in bytes
 * @param bit its first bit in this byte, 0 the most significant one
 * @param width its length in bits, 1..64
 */
@SuppressWarnings("UnusedTypeParameter") // Keeps the fields of one class from being read from another.
public record Field<M>(String name, int octet, int bit, int width) {
    /** {@return the number of bytes that have bits of this field} */
    int octets() {
        return (bit + width + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** {@return the number of bits after this field in its last byte} */
    int shift() {
        return octets() * Byte.SIZE - bit - width;
    }

    /** {@return the bits of the field, right-aligned} */
    long mask() {
        return -1L >>> (Long.SIZE - width);
    }
}
