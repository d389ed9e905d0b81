// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The buffer of a memory descriptor or of a message: a list of memory segments that form one range of bytes.
 *
 * <p>The list of memory segments is immutable, but the contents of the segments can change. Thread-safe if access to the
 * memory is thread-safe.
 */
public final class PayloadVector {

    /** The empty list of memory segments. */
    public static final PayloadVector EMPTY = new PayloadVector(new MemorySegment[0]);

    /** The maximum number of memory segments in one {@code PayloadVector}. Source: {@code LNET_MAX_IOV}. */
    public static final int MAX_SLICES = 256;

    private static final MemorySegment[] NO_SLICES = {};
    private static final long[] NO_STARTS = {0};

    private final long length;
    /**
     * The memory segment if the payload has only one segment, as most payloads do; null if the segments are in the array
     * {@code slices}.
     */
    private final @Nullable MemorySegment only;

    private final MemorySegment[] slices;
    /** The offset of each memory segment in the payload, and, as the last value, the length of the payload. */
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
     * Creates a {@code PayloadVector}.
     *
     * @param slices the memory segments in order; empty segments are omitted
     * @return the {@code PayloadVector}
     * @throws IllegalArgumentException if more than {@link #MAX_SLICES} memory segments are not empty
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
     * {@return a {@code PayloadVector} of the given memory segments}
     *
     * @param slices the memory segments in order; empty segments are omitted
     */
    public static PayloadVector of(MemorySegment... slices) {
        return of(Arrays.asList(slices));
    }

    /**
     * {@return a {@code PayloadVector} of one memory segment}
     *
     * @param slice the memory segment
     */
    public static PayloadVector of(MemorySegment slice) {
        return slice.byteSize() == 0 ? EMPTY : new PayloadVector(slice);
    }

    /** {@return the total length of all memory segments of this {@code PayloadVector}, in bytes} */
    public long length() {
        return length;
    }

    /** {@return an unmodifiable list of the memory segments, none of which is empty} */
    public List<MemorySegment> slices() {
        return only == null ? List.of(slices) : List.of(only);
    }

    boolean isReadOnly() {
        return find(MemorySegment::isReadOnly) != null;
    }

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

    /** The callback of {@link #forEachPiece}. */
    @FunctionalInterface
    public interface PieceVisitor {
        /**
         * Visits the range within the next memory segment.
         *
         * @param slice the memory segment that contains the visited range
         * @param sliceOffset the offset of the visited range in the memory segment, in bytes
         * @param length the length of the visited range in bytes, 1 or more
         */
        void piece(MemorySegment slice, long sliceOffset, long length);
    }

    /**
     * Visits a range of this {@code PayloadVector} in order, by one call of {@code visitor} per memory segment.
     *
     * @param offset the offset of the range in this {@code PayloadVector}, in bytes
     * @param length the length of the range in bytes
     * @param visitor the callback for the range within each memory segment
     * @throws IndexOutOfBoundsException if the range is not within this {@code PayloadVector}
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
     * Copies bytes from a memory segment into a range of this {@code PayloadVector}.
     *
     * @param offset the offset of the range in this {@code PayloadVector}, in bytes
     * @param source the memory to read
     * @param sourceOffset the offset of the first byte to read in {@code source}, in bytes
     * @param length the number of bytes to copy
     * @throws IndexOutOfBoundsException if the range to copy is not within this {@code PayloadVector}, or not within {@code
     *     source}
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
     * Copies bytes from a range of this {@code PayloadVector} to a memory segment.
     *
     * @param offset the offset of the range in this {@code PayloadVector}, in bytes
     * @param target the memory to write
     * @param targetOffset the offset of the first byte to write in {@code target}, in bytes
     * @param length the number of bytes to copy
     * @throws IndexOutOfBoundsException if the range to copy is not within this {@code PayloadVector}, or not within {@code
     *     target}
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
