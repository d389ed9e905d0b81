// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a descriptor or message: one or more slices that are read and written as one run of bytes.
 *
 * <p>Immutable, except for the contents of its memory. Safe for several threads as far as the memory is.
 */
public final class PayloadVector {

    /** No bytes at all. */
    public static final PayloadVector EMPTY = new PayloadVector(new MemorySegment[0]);

    /** The most slices one vector may have. Source: {@code LNET_MAX_IOV}. */
    public static final int MAX_SLICES = 256;

    private static final MemorySegment[] NO_SLICES = {};
    private static final long[] NO_STARTS = {0};

    private final long length;
    /** The only slice, as most payloads have one; without it those of the arrays count. */
    private final @Nullable MemorySegment only;

    private final MemorySegment[] slices;
    /** Where each slice starts in the whole; one entry more than slices, the last is the length. */
    private final long[] starts;

    private PayloadVector(MemorySegment slice) {
        only = slice;
        length = slice.byteSize();
        slices = NO_SLICES;
        starts = NO_STARTS;
    }

    private PayloadVector(MemorySegment... parts) {
        only = null;
        slices = parts;
        starts = new long[slices.length + 1];
        for (int i = 0; i < slices.length; i++) {
            starts[i + 1] = starts[i] + slices[i].byteSize();
        }
        length = starts[slices.length];
    }

    /**
     * Strings slices together.
     *
     * @param slices the memory in order; empty slices are left out
     * @return the vector
     * @throws IllegalArgumentException if there are more than {@link #MAX_SLICES}
     */
    public static PayloadVector of(List<MemorySegment> slices) {
        List<MemorySegment> parts =
                slices.stream().filter(s -> s.byteSize() > 0).toList();
        if (parts.size() > MAX_SLICES) {
            throw new IllegalArgumentException(
                    parts.size() + " slices are more than one LNet payload may have, " + MAX_SLICES);
        }
        return switch (parts.size()) {
            case 0 -> EMPTY;
            case 1 -> new PayloadVector(parts.getFirst());
            default -> new PayloadVector(parts.toArray(MemorySegment[]::new));
        };
    }

    /**
     * Wraps slices given one by one.
     *
     * @param slices the memory in order
     * @return the vector
     */
    public static PayloadVector of(MemorySegment... slices) {
        return of(Arrays.asList(slices));
    }

    /**
     * Wraps one slice, as most payloads have.
     *
     * @param slice the memory
     * @return the vector
     */
    public static PayloadVector of(MemorySegment slice) {
        return slice.byteSize() == 0 ? EMPTY : new PayloadVector(slice);
    }

    /** {@return the bytes of all slices together} */
    public long length() {
        return length;
    }

    /** {@return the slices, none of them empty; an unmodifiable list} */
    public List<MemorySegment> slices() {
        return only == null ? List.of(slices) : List.of(only);
    }

    /** Returns whether some of the memory cannot be written. */
    boolean isReadOnly() {
        return find(MemorySegment::isReadOnly) != null;
    }

    /** The first slice of a kind; null if there is none. */
    @Nullable MemorySegment find(Predicate<MemorySegment> kind) {
        if (only != null) {
            return kind.test(only) ? only : null;
        }
        for (MemorySegment slice : slices) {
            if (kind.test(slice)) {
                return slice;
            }
        }
        return null;
    }

    /** Visits one contiguous piece at a time. */
    @FunctionalInterface
    public interface PieceVisitor {
        /**
         * Visits the next piece.
         *
         * @param slice memory that holds it
         * @param sliceOffset where in that memory it starts
         * @param length its bytes, 1 or more
         */
        void piece(MemorySegment slice, long sliceOffset, long length);
    }

    /**
     * Walks over a range, piece by piece in order.
     *
     * @param offset first byte of the range
     * @param length bytes of the range
     * @param visitor visits each contiguous piece
     * @throws IndexOutOfBoundsException if the range is not within the vector
     */
    public void forEachPiece(long offset, long length, PieceVisitor visitor) {
        Objects.checkFromIndexSize(offset, length, length());
        if (only != null) {
            if (length > 0) {
                visitor.piece(only, offset, length);
            }
            return;
        }
        int index = indexOf(offset);
        long at = offset;
        long left = length;
        while (left > 0) {
            long within = at - starts[index];
            long bytes = Math.min(left, starts[index + 1] - at);
            visitor.piece(slices[index], within, bytes);
            at += bytes;
            left -= bytes;
            index++;
        }
    }

    /**
     * Writes bytes into a range of this vector.
     *
     * @param offset first byte written
     * @param source where the bytes come from
     * @param sourceOffset the first of them
     * @param length how many
     * @throws IndexOutOfBoundsException if either range does not fit
     */
    public void copyIn(long offset, MemorySegment source, long sourceOffset, long length) {
        Objects.checkFromIndexSize(offset, length, length());
        if (only != null) {
            MemorySegment.copy(source, sourceOffset, only, offset, length);
            return;
        }
        long done = 0;
        for (int index = indexOf(offset); done < length; index++) {
            long at = offset + done;
            long bytes = Math.min(length - done, starts[index + 1] - at);
            MemorySegment.copy(source, sourceOffset + done, slices[index], at - starts[index], bytes);
            done += bytes;
        }
    }

    /**
     * Reads a range of this vector.
     *
     * @param offset first byte read
     * @param target where the bytes go
     * @param targetOffset where in the target
     * @param length how many
     * @throws IndexOutOfBoundsException if either range does not fit
     */
    public void copyOut(long offset, MemorySegment target, long targetOffset, long length) {
        Objects.checkFromIndexSize(offset, length, length());
        if (only != null) {
            MemorySegment.copy(only, offset, target, targetOffset, length);
            return;
        }
        long done = 0;
        for (int index = indexOf(offset); done < length; index++) {
            long at = offset + done;
            long bytes = Math.min(length - done, starts[index + 1] - at);
            MemorySegment.copy(slices[index], at - starts[index], target, targetOffset + done, bytes);
            done += bytes;
        }
    }

    private int indexOf(long offset) {
        int found = Arrays.binarySearch(starts, 0, slices.length, offset);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    public String toString() {
        return length() + " bytes in " + (only == null ? slices.length + " slices" : "1 slice");
    }
}
