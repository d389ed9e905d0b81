// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A flyweight is an object that reads and writes one header in the caller's memory segment. A flyweight copies no bytes:
 * getters read the wrapped segment, and setters write it. All multi-byte fields are big-endian and need no alignment.
 *
 * <p>A new flyweight refers to no header until {@link #wrap} is called. Getters and setters throw {@link
 * IndexOutOfBoundsException} before the first call of {@code wrap}, or if the field lies beyond the end of the segment. A
 * setter stores the low bits of its argument that fit the field, and ignores the higher bits. A setter does not change the
 * reserved bits next to its field.
 *
 * <p>Flyweights are not thread-safe.
 *
 * @param <H> the subclass, which is also the return type of {@link #wrap}
 */
public abstract class Flyweight<H extends Flyweight<H>> {
    private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** Creates a flyweight for a header. Call {@link #wrap} before any other method. */
    protected Flyweight() {}

    /**
     * Makes this flyweight refer to a header in a memory segment.
     *
     * @param newSegment the bytes of the packet
     * @param newOffset the offset of the header in {@code newSegment}, in bytes
     * @return this
     */
    public final H wrap(MemorySegment newSegment, long newOffset) {
        segment = newSegment;
        offset = newOffset;
        return self();
    }

    /** {@return this flyweight, cast to its subclass {@code H}} */
    @SuppressWarnings("unchecked") // A subclass extends Flyweight with itself as the type argument H.
    protected final H self() {
        return (H) this;
    }

    /** {@return the segment that contains the header; {@link MemorySegment#NULL} before the first call of {@code wrap}} */
    public final MemorySegment segment() {
        return segment;
    }

    /** {@return the offset of the header in {@link #segment()}, in bytes} */
    public final long offset() {
        return offset;
    }

    /**
     * Reads an 8-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @return the value, 0..255
     */
    protected final int get8(long field) {
        return segment.get(U8, offset + field) & 0xff;
    }

    /**
     * Reads a 16-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @return the value, 0..65535
     */
    protected final int get16(long field) {
        return segment.get(U16, offset + field) & 0xffff;
    }

    /**
     * Reads a 24-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @return the value, 0..2^24-1
     */
    protected final int get24(long field) {
        return (get8(field) << 16) | get16(field + 1);
    }

    /**
     * Reads a 32-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @return the 32 bits
     */
    protected final int get32(long field) {
        return segment.get(U32, offset + field);
    }

    /**
     * Reads a 64-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @return the 64 bits
     */
    protected final long get64(long field) {
        return segment.get(U64, offset + field);
    }

    /**
     * Reads a field that has fewer than eight bits.
     *
     * @param field the offset from the start of the header to the byte with the field, in bytes
     * @param mask the mask of the field within its byte; the mask's bits are adjacent
     * @return the value of the field, right-aligned
     */
    protected final int getBits(long field, int mask) {
        return (get8(field) & mask) >>> Integer.numberOfTrailingZeros(mask);
    }

    /**
     * Writes an 8-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @param value the new value of the header field; only the low 8 bits are used
     */
    protected final void put8(long field, int value) {
        segment.set(U8, offset + field, (byte) value);
    }

    /**
     * Writes a 16-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @param value the value of the field; the low 16 bits are stored
     */
    protected final void put16(long field, int value) {
        segment.set(U16, offset + field, (short) value);
    }

    /**
     * Writes a 24-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @param value the value of the 24-bit field; the high 8 bits are ignored
     */
    protected final void put24(long field, int value) {
        put8(field, value >>> 16);
        put16(field + 1, value);
    }

    /**
     * Writes a 32-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @param value the 32 bits
     */
    protected final void put32(long field, int value) {
        segment.set(U32, offset + field, value);
    }

    /**
     * Writes a 64-bit field.
     *
     * @param field the offset of the field in the header, in bytes
     * @param value the 64 bits
     */
    protected final void put64(long field, long value) {
        segment.set(U64, offset + field, value);
    }

    /**
     * Writes a field that has fewer than eight bits; the other bits of its byte do not change.
     *
     * @param field the offset from the start of the header to the byte with the field, in bytes
     * @param mask the mask of the field within its byte; the mask's bits are adjacent
     * @param value the value of the field, right-aligned; bits that do not fit the field are dropped
     */
    protected final void putBits(long field, int mask, int value) {
        put8(field, (get8(field) & ~mask) | ((value << Integer.numberOfTrailingZeros(mask)) & mask));
    }

    /**
     * Sets bytes of the header to zero.
     *
     * @param field the offset of the first byte to clear in the header
     * @param length the number of bytes to clear
     */
    protected final void putZeros(long field, long length) {
        for (long i = 0; i < length; i++) {
            segment.set(U8, offset + field + i, (byte) 0);
        }
    }

    /**
     * Appends the decoded fields of the header to the text for {@link #toString()}.
     *
     * @param out the text to append to
     */
    protected abstract void describe(StringBuilder out);

    /** {@return the header's name with the decoded fields, or with a note if the segment is too short} */
    @Override
    public final String toString() {
        StringBuilder out = new StringBuilder(getClass().getSimpleName());
        int start = out.length();
        try {
            describe(out.append('['));
            return out.append(']').toString();
        } catch (IndexOutOfBoundsException outside) {
            out.setLength(start);
            return out.append(segment.byteSize() == 0 ? "[not wrapped]" : "[truncated]")
                    .toString();
        }
    }
}
