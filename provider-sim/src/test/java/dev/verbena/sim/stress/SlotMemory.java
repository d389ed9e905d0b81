// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Registered memory as slots with gaps between them, with a copy of its expected bytes. Each slot has one message at a
 * time; no request accesses a byte of a gap.
 */
final class SlotMemory {
    private static final long GAP = 256;

    /** A piece of a slot, for a scatter-gather entry. */
    record Piece(long offset, long length) {}

    private final String name;
    private final MemorySegment memory;
    private final MemorySegment expected;
    private final long slotLength;

    SlotMemory(String name, VerbsArena arena, int slots, long slotLength) {
        this.name = name;
        this.slotLength = slotLength;
        long length = GAP + slots * (slotLength + GAP);
        memory = arena.allocate(length, 4096);
        expected = Arena.ofAuto().allocate(length, 8);
        fill(expected, name.hashCode());
        memory.copyFrom(expected);
    }

    static void fill(MemorySegment bytes, long salt) {
        long length = bytes.byteSize();
        long value = salt * 0x9E37_79B9_7F4A_7C15L | 1;
        long at = 0;
        for (; at + 8 <= length; at += 8) {
            value += 0x0101_0203_0507_0B0DL;
            bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
        }
        for (; at < length; at++) {
            bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (value >> at % 8));
        }
    }

    /** Divides a message into pieces of a slot, in order, with room between them. */
    static List<Piece> divide(SplittableRandom random, long length, int most) {
        int count = length < most ? 1 : 1 + random.nextInt(most);
        Piece[] pieces = new Piece[count];
        long left = length;
        long at = random.nextInt(8);
        for (int i = 0; i < count; i++) {
            long part = i == count - 1 ? left : 1 + random.nextLong(left - (count - 1 - i));
            pieces[i] = new Piece(at, part);
            at += part + random.nextInt(64);
            left -= part;
        }
        return List.of(pieces);
    }

    /** Returns the length of a slot for messages up to a length. */
    static long slotFor(long length) {
        return length + 4 * 64 + 8;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns the offset of a slot. */
    long offset(int slot) {
        return GAP + slot * (slotLength + GAP);
    }

    /** Writes a message into the pieces of a slot, as a program does before it posts. */
    void put(int slot, List<Piece> pieces, MemorySegment message) {
        copy(message, memory, slot, pieces, message.byteSize());
    }

    private void copy(MemorySegment message, MemorySegment to, int slot, List<Piece> pieces, long most) {
        long done = 0;
        for (Piece piece : pieces) {
            long part = Math.min(piece.length(), most - done);
            MemorySegment.copy(message, done, to, offset(slot) + piece.offset(), part);
            done += part;
        }
    }

    /** Checks that a whole message has arrived in a slot, and that no other byte has changed. */
    void checkWhole(int slot, List<Piece> pieces, MemorySegment message, Object what) {
        copy(message, expected, slot, pieces, message.byteSize());
        check(slot, what);
    }

    /** Checks that at most a prefix of a message has arrived in a slot, and that no other byte has changed. */
    void checkPrefix(int slot, List<Piece> pieces, MemorySegment message, Object what) {
        copy(message, expected, slot, pieces, arrived(slot, pieces, message));
        check(slot, what);
    }

    private long arrived(int slot, List<Piece> pieces, MemorySegment message) {
        long done = 0;
        for (Piece piece : pieces) {
            MemorySegment part = memory.asSlice(offset(slot) + piece.offset(), piece.length());
            long equal = part.mismatch(message.asSlice(done, piece.length()));
            if (equal >= 0) {
                return done + equal;
            }
            done += piece.length();
        }
        return done;
    }

    /** Accepts the bytes in the pieces of a slot, and checks those around them. */
    void checkAround(int slot, List<Piece> pieces, Object what) {
        for (Piece piece : pieces) {
            long at = offset(slot) + piece.offset();
            MemorySegment.copy(memory, at, expected, at, piece.length());
        }
        check(slot, what);
    }

    private void check(int slot, Object what) {
        long from = offset(slot) - GAP;
        long length = slotLength + 2 * GAP;
        long at = memory.asSlice(from, length).mismatch(expected.asSlice(from, length));
        if (at >= 0) {
            throw new AssertionError(name + ", slot " + slot + ": byte " + (at - GAP) + " is "
                    + memory.get(ValueLayout.JAVA_BYTE, from + at) + " instead of "
                    + expected.get(ValueLayout.JAVA_BYTE, from + at) + " after " + what);
        }
    }

    /** Returns the expected eight bytes of a slot. */
    long word(int slot) {
        return expected.get(ValueLayout.JAVA_LONG, offset(slot));
    }

    /** Checks the eight bytes of a slot, which an operation has changed completely or not at all. */
    void checkWord(int slot, long after, boolean surely, Object what) {
        long found = memory.get(ValueLayout.JAVA_LONG, offset(slot));
        if (surely || found == after) {
            expected.set(ValueLayout.JAVA_LONG, offset(slot), after);
        }
        check(slot, what);
    }

    /** Checks all slots and gaps. */
    void checkAll(Object what) {
        assertThat(memory.mismatch(expected)).as("%s, after %s", name, what).isEqualTo(-1);
    }

    @Override
    public String toString() {
        return name;
    }
}
