// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The position of a field in a message. Each message class declares one {@code Field} constant for each of its fields.
 *
 * @param <M> the class of the message
 * @param name the name of the field; the message's {@code toString} prints this name
 * @param octet the offset of the field's first byte in the message, in bytes
 * @param bit the index of the field's first bit in the field's first byte; 0 is the most significant bit
 * @param width the length of the field in bits, 1..64
 */
@SuppressWarnings("UnusedTypeParameter") // The type parameter prevents reading a field from a message of another class.
public record Field<M>(String name, int octet, int bit, int width) {
    /** {@return the number of bytes that contain bits of this field} */
    int octets() {
        return (bit + width + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** {@return the number of bits from the end of the field to the next byte boundary} */
    int shift() {
        return octets() * Byte.SIZE - bit - width;
    }

    long mask() {
        return -1L >>> (Long.SIZE - width);
    }
}
