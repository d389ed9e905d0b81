// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.Arrays;

/** Registered or unregistered memory for a tested device, between two guard areas. No access may change the guard areas. */
public final class Memory extends SideObject {
    /**
     * The length in bytes of a guard area: one page of 4 KiB. One guard area precedes the memory, and another guard
     * area follows the memory.
     */
    public static final int GUARD = Step.Allocate.GUARD;

    private final long bytes;

    private Memory(Side side, int handle, long bytes) {
        super(side, handle);
        this.bytes = bytes;
    }

    public static Memory allocate(Side side, long bytes) {
        int handle = side.newHandle();
        side.perform(new Step.Allocate(handle, bytes));
        return new Memory(side, handle, bytes);
    }

    public long bytes() {
        return bytes;
    }

    /**
     * Returns a byte pattern for the seed {@code salt}. Equal seeds yield equal patterns, and adjacent packets contain
     * different bytes.
     */
    public static byte[] pattern(int length, int salt) {
        byte[] pattern = new byte[length];
        for (int i = 0; i < length; i++) {
            // The factor 131 is odd, so each block of 256 bytes contains each of the 256 byte values once. The factor
            // 17 gives adjacent blocks different bytes, so that a test detects a packet at a wrong offset.
            pattern[i] = (byte) ((i + 1) * 131 + (i >> 8) * 17 + salt * 29);
        }
        return pattern;
    }

    /** Fills a range of this memory with a byte pattern, and returns the pattern. */
    public byte[] fill(long offset, int length, int salt) {
        byte[] pattern = pattern(length, salt);
        write(offset, pattern);
        return pattern;
    }

    public void write(long offset, byte[] values) {
        side().perform(new Step.Write(handle(), offset, values));
    }

    /**
     * Sets a range of this memory to zeros, and returns the whole pages of the range to the kernel ({@code MADV_DONTNEED}).
     */
    public void discard(long offset, long length) {
        side().perform(new Step.Discard(handle(), offset, length));
    }

    public byte[] read(long offset, long length) {
        return ((Reply.Bytes) side().perform(new Step.Read(handle(), offset, length))).value();
    }

    /** Waits until a range of this memory has the bytes that a peer should write; fails after a timeout. */
    public void await(long offset, byte[] expected) {
        Duration slice = Duration.ofMillis(1);
        long slices = side().waiting().patience().dividedBy(slice);
        while (!Arrays.equals(expected, read(offset, expected.length))) {
            if (slices-- == 0) {
                fail("the bytes that the peer wrote at offset " + offset + " of the memory of " + side()
                        + " did not arrive within " + side().waiting().patience());
            }
            side().pass(slice);
        }
    }

    /** Returns a copy of this memory, and of the guard areas before and after this memory. */
    public byte[] contents() {
        return read(-GUARD, GUARD + bytes + GUARD);
    }

    /** Checks all bytes of this memory, and of the guard areas before and after this memory. */
    public void assertHolds(byte[] expected) {
        assertHolds(-GUARD, expected);
    }

    public void assertHolds(long offset, byte[] expected) {
        byte[] actual = read(offset, expected.length);
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            fail("memory of " + side() + ": byte " + (offset + at) + " of " + bytes + " is " + actual[at] + ", not "
                    + expected[at]);
        }
    }

    /** Returns a copy of the memory's contents in which some bytes are replaced. */
    public static byte[] patched(byte[] contents, long offset, byte[] values) {
        byte[] patched = contents.clone();
        System.arraycopy(values, 0, patched, (int) (GUARD + offset), values.length);
        return patched;
    }
}
