// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * A field of a header as the specification draws it, together with the flyweight's getter and setter, so that the two
 * can be compared bit by bit.
 *
 * @param name its name in messages
 * @param bit the first bit, counted from the most significant bit of byte 0
 * @param width how many bits
 * @param header a flyweight
 * @param getter reads the field
 * @param setter writes the field
 */
public record HeaderField<H extends Flyweight<H>>(
        String name, int bit, int width, H header, ToLongFunction<H> getter, BiConsumer<H, Long> setter) {

    /** {@return what the getter says about a header in the middle of other bytes} */
    public long get(byte[] bytes, int offset) {
        return getter.applyAsLong(header.wrap(MemorySegment.ofArray(bytes), offset));
    }

    /** {@return the bytes after the setter has been called on a header in the middle of them} */
    public byte[] set(byte[] bytes, int offset, long value) {
        byte[] copy = bytes.clone();
        setter.accept(header.wrap(MemorySegment.ofArray(copy), offset), value);
        return copy;
    }

    /** {@return the bits that the field has in the drawing} */
    public long modelGet(byte[] bytes, int offset) {
        return new BigInteger(1, bytes)
                .shiftRight(shift(bytes, offset))
                .and(mask())
                .longValue();
    }

    /** {@return the bytes with the bits of the field replaced, and no others} */
    public byte[] modelSet(byte[] bytes, int offset, long value) {
        int shift = shift(bytes, offset);
        BigInteger field = BigInteger.valueOf(value).and(mask()).shiftLeft(shift);
        BigInteger all =
                new BigInteger(1, bytes).andNot(mask().shiftLeft(shift)).or(field);
        byte[] result = new byte[bytes.length];
        byte[] magnitude = all.toByteArray();
        int length = Math.min(magnitude.length, result.length);
        System.arraycopy(magnitude, magnitude.length - length, result, result.length - length, length);
        return result;
    }

    /** {@return what the getter says about bytes that end one byte before the field does} */
    public long getBeyondTheEnd() {
        MemorySegment tooShort = MemorySegment.ofArray(new byte[(bit + width + 7) / 8 - 1]);
        return getter.applyAsLong(header.wrap(tooShort, 0));
    }

    private int shift(byte[] bytes, int offset) {
        return (bytes.length - offset) * 8 - bit - width;
    }

    private BigInteger mask() {
        return BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    }

    @Override
    public String toString() {
        return name;
    }
}
