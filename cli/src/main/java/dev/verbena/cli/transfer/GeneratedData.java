// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.options.ByteSize;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Generated data, which a transfer can send instead of a file. The data is always the same, is hard to compress, and is
 * computed at each read. Each group of eight bytes of the data is a counter value scrambled by the mixing function of
 * SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators).
 */
public record GeneratedData(long size) implements DataSource {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    @Override
    public void read(long position, MemorySegment into) {
        long length = into.byteSize();
        long at = 0;
        while (at < length && (position + at) % Long.BYTES != 0) {
            into.set(ValueLayout.JAVA_BYTE, at, byteAt(position + at));
            at++;
        }
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            into.set(WORD, at, word((position + at) / Long.BYTES));
        }
        for (; at < length; at++) {
            into.set(ValueLayout.JAVA_BYTE, at, byteAt(position + at));
        }
    }

    private static byte byteAt(long position) {
        return (byte) (word(position / Long.BYTES) >>> (position % Long.BYTES * Byte.SIZE));
    }

    private static long word(long index) {
        long z = (index + 1) * GOLDEN_GAMMA;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    @Override
    public String toString() {
        return new ByteSize(size) + " of generated data";
    }
}
