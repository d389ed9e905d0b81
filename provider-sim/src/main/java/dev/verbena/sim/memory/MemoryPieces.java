// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One memory segment, or the memory segments of a page list in order. A {@code position} is the offset of a byte in the
 * sequence of all segments. The caller must have checked that each {@code position} is in range. Immutable, except for the
 * bytes.
 */
public final class MemoryPieces {
    static final MemoryPieces NONE = new MemoryPieces(new MemorySegment[] {}, new long[] {}, false);

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment[] pieces;
    /** Whether the program can free the registered memory, or truncate the file that is mapped to the memory. */
    private final boolean guarded;
    /** The memory if it is a single segment that cannot be freed; otherwise null. */
    private final @Nullable MemorySegment only;

    private final long[] ends;

    private MemoryPieces(MemorySegment[] pieces, long[] ends, boolean guarded) {
        this.pieces = pieces;
        this.ends = ends;
        this.guarded = guarded;
        only = pieces.length == 1 && !guarded ? pieces[0] : null;
    }

    /**
     * Creates memory of one segment that can be freed while the memory is registered: its arena may be closed, or its file
     * truncated. <b>Memory that may vanish is not borrowed.</b> If memory can be freed or truncated, a packet contains a
     * copy of the bytes, not a reference. {@link #copyTo} and {@link #copyFrom} return false if the memory has been freed.
     */
    public static MemoryPieces guarded(MemorySegment memory) {
        return new MemoryPieces(new MemorySegment[] {memory}, new long[] {memory.byteSize()}, true);
    }

    public static MemoryPieces of(MemorySegment memory) {
        return of(List.of(memory));
    }

    public static MemoryPieces of(List<MemorySegment> memory) {
        long[] ends = new long[memory.size()];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            long size = memory.get(i).byteSize();
            if (size == 0) {
                throw new IllegalArgumentException("piece " + i + " of " + ends.length + " is empty");
            }
            end = Math.addExact(end, size);
            ends[i] = end;
        }
        return new MemoryPieces(memory.toArray(MemorySegment[]::new), ends, false);
    }

    public long length() {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    @Nullable MemorySegment only() {
        return only;
    }

    boolean isGuarded() {
        return guarded;
    }

    /** Copies bytes out of this memory. Returns false if the memory has been freed. */
    boolean copyTo(long position, MemorySegment target, long offset, int bytes) {
        if (guarded) {
            return MemorySegmentGuard.copy(pieces[0], position, target, offset, bytes);
        }
        int index = pieceOf(position);
        long at = position - startOf(index);
        for (int done = 0; done < bytes; index++, at = 0) {
            int step = (int) Math.min(bytes - done, pieces[index].byteSize() - at);
            MemorySegment.copy(pieces[index], at, target, offset + done, step);
            done += step;
        }
        return true;
    }

    /** Copies bytes into this memory. Returns false if the source or the target memory has been freed. */
    boolean copyFrom(MemorySegment source, boolean sourceGuarded, long offset, long position, int bytes) {
        if (only != null && !sourceGuarded) {
            MemorySegment.copy(source, offset, only, position, bytes);
            return true;
        }
        int index = pieceOf(position);
        long at = position - startOf(index);
        for (int done = 0; done < bytes; index++, at = 0) {
            int step = (int) Math.min(bytes - done, pieces[index].byteSize() - at);
            if (!guarded && !sourceGuarded) {
                MemorySegment.copy(source, offset + done, pieces[index], at, step);
            } else if (!MemorySegmentGuard.copy(source, offset + done, pieces[index], at, step)) {
                return false;
            }
            done += step;
        }
        return true;
    }

    boolean isOnePiece(long position, int bytes) {
        return only != null || ends[pieceOf(position)] - position >= bytes;
    }

    MemorySegment segment(long position) {
        return only != null ? only : pieces[pieceOf(position)];
    }

    /** Converts an offset in the sequence of all memory segments to an offset in the segment that contains the byte. */
    long offset(long position) {
        return only != null ? position : position - startOf(pieceOf(position));
    }

    /**
     * Returns whether the eight bytes at an offset are in one segment and have the alignment that the processor's atomic
     * instructions need.
     */
    boolean isAtomic(long position) {
        int index = pieceOf(position);
        long address = pieces[index].address() + position - startOf(index);
        return address % Long.BYTES == 0 && ends[index] - position >= Long.BYTES;
    }

    long getAndAdd(long position, long delta) {
        if (guarded) {
            return MemorySegmentGuard.getAndAdd(pieces[0], position, delta);
        }
        int index = pieceOf(position);
        return (long) LONG.getAndAdd(pieces[index], position - startOf(index), delta);
    }

    long compareAndExchange(long position, long expected, long value) {
        if (guarded) {
            return MemorySegmentGuard.compareAndExchange(pieces[0], position, expected, value);
        }
        int index = pieceOf(position);
        return (long) LONG.compareAndExchange(pieces[index], position - startOf(index), expected, value);
    }

    void setVolatile(long position, long value) {
        if (guarded) {
            MemorySegmentGuard.write(pieces[0], position, value);
            return;
        }
        int index = pieceOf(position);
        LONG.setVolatile(pieces[index], position - startOf(index), value);
    }

    /**
     * Returns the index in {@code pieces} of the memory segment that contains the byte at an offset. If the offset is the
     * end of the memory, returns the index of the last segment.
     */
    private int pieceOf(long position) {
        if (ends.length == 1) {
            return 0;
        }
        int found = Arrays.binarySearch(ends, position);
        // An offset that equals the end of a memory segment belongs to the next segment.
        return Math.min(found >= 0 ? found + 1 : -found - 1, ends.length - 1);
    }

    private long startOf(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }
}
