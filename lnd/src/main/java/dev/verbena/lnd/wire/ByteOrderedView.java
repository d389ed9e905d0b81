// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A flyweight that reads and writes a message in the byte order of its sender. The magic of the message shows the byte
 * order. This class reads each value in little-endian order, and swaps the bytes if the sender is big-endian.
 */
abstract class ByteOrderedView {

    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private boolean bigEndian;

    final void view(MemorySegment bytes, long start, boolean writtenBigEndian) {
        segment = bytes;
        offset = start;
        bigEndian = writtenBigEndian;
    }

    final MemorySegment segment() {
        return segment;
    }

    final long offset() {
        return offset;
    }

    final boolean isBigEndian() {
        return bigEndian;
    }

    final int u8(long field) {
        return segment.get(BYTE, offset + field) & 0xff;
    }

    final void u8(long field, int value) {
        segment.set(BYTE, offset + field, (byte) value);
    }

    final int u16(long field) {
        short raw = segment.get(SHORT, offset + field);
        return (bigEndian ? Short.reverseBytes(raw) : raw) & 0xffff;
    }

    final void u16(long field, int value) {
        short raw = (short) value;
        segment.set(SHORT, offset + field, bigEndian ? Short.reverseBytes(raw) : raw);
    }

    final int i32(long field) {
        int raw = segment.get(INT, offset + field);
        return bigEndian ? Integer.reverseBytes(raw) : raw;
    }

    final void i32(long field, int value) {
        segment.set(INT, offset + field, bigEndian ? Integer.reverseBytes(value) : value);
    }

    final long i64(long field) {
        long raw = segment.get(LONG, offset + field);
        return bigEndian ? Long.reverseBytes(raw) : raw;
    }

    final void i64(long field, long value) {
        segment.set(LONG, offset + field, bigEndian ? Long.reverseBytes(value) : value);
    }

    /** Returns an eight-byte cookie without a byte swap; only the node that created the cookie interprets the cookie. */
    final long opaque(long field) {
        return segment.get(LONG, offset + field);
    }

    final void opaque(long field, long value) {
        segment.set(LONG, offset + field, value);
    }
}
