// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.Protocol;
import java.util.Arrays;

/**
 * Pieces of one memory region that together are a payload: the local side of an RDMA descriptor. Reused from transfer to
 * transfer. Not thread-safe.
 */
public final class FragmentList {

    private static final long PAGE = 4096;

    /** Most lists have one piece, and there are many lists. */
    private static final int AT_FIRST = 4;

    private long[] offsets = new long[AT_FIRST];
    private long[] lengths = new long[AT_FIRST];
    private int count;
    private long total;

    /** Creates an empty list. */
    public FragmentList() {}

    /** Empties the list. */
    public void clear() {
        count = 0;
        total = 0;
    }

    /**
     * Adds one piece as it is.
     *
     * @param offset where in the region it starts
     * @param length its bytes, 1 or more
     * @return false if the list is full
     */
    public boolean add(long offset, long length) {
        if (count == Protocol.MAX_FRAGMENTS) {
            return false;
        }
        ensureRoom(count + 1);
        offsets[count] = offset;
        lengths[count] = length;
        count++;
        total += length;
        return true;
    }

    private void ensureRoom(int pieces) {
        if (pieces > offsets.length) {
            int room = Math.min(Protocol.MAX_FRAGMENTS, Math.max(pieces, 2 * offsets.length));
            offsets = Arrays.copyOf(offsets, room);
            lengths = Arrays.copyOf(lengths, room);
        }
    }

    /**
     * Adds a piece page by page, as a host without contiguous memory has to describe it.
     *
     * @param base the value that is added to every offset
     * @param offset where in the region it starts; pages count from the region's start
     * @param length its bytes
     * @return false if the list is full
     */
    public boolean addPages(long base, long offset, long length) {
        long at = offset;
        long left = length;
        while (left > 0) {
            long bytes = Math.min(left, PAGE - at % PAGE);
            if (!add(base + at, bytes)) {
                return false;
            }
            at += bytes;
            left -= bytes;
        }
        return true;
    }

    /**
     * Joins adjacent fragments if there are more than a number of them.
     *
     * @param limit fragments the peer takes
     * @return whether that was possible
     */
    public boolean limitTo(int limit) {
        if (count > limit) {
            join();
        }
        return count <= limit;
    }

    /** Joins adjacent fragments. */
    public void join() {
        if (count < 2) {
            return;
        }
        int kept = 0;
        for (int i = 1; i < count; i++) {
            boolean adjacent = offsets[kept] + lengths[kept] == offsets[i];
            if (adjacent) {
                lengths[kept] += lengths[i];
            } else {
                kept++;
                offsets[kept] = offsets[i];
                lengths[kept] = lengths[i];
            }
        }
        count = kept + 1;
    }

    /** {@return the number of pieces, 0 to 257} */
    public int count() {
        return count;
    }

    /** {@return the bytes of all pieces} */
    public long total() {
        return total;
    }

    /**
     * Where a piece starts.
     *
     * @param index 0 to {@link #count()} - 1
     * @return bytes from the region's start
     */
    public long offset(int index) {
        return offsets[index];
    }

    /**
     * Bytes of a piece.
     *
     * @param index 0 to {@link #count()} - 1
     * @return 1 or more
     */
    public long length(int index) {
        return lengths[index];
    }
}
