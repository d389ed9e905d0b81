// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.Protocol;
import java.util.Arrays;

/**
 * The memory ranges (fragments) that an RDMA transfer reads or writes, all in one memory region. A {@code FragmentList} is
 * reused for many RDMA transfers. Not thread-safe.
 */
public final class FragmentList {

    private static final long PAGE = 4096;

    /** The initial capacity of the arrays; small, because most fragment lists contain only one memory range. */
    private static final int AT_FIRST = 4;

    private long[] offsets = new long[AT_FIRST];
    private long[] lengths = new long[AT_FIRST];
    private int count;
    private long total;

    public FragmentList() {}

    public void clear() {
        count = 0;
        total = 0;
    }

    /** Adds one memory range to this list, as one fragment. Returns false if this list is full. */
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
     * Adds one fragment to this list for each page of a memory range, and adds {@code base} to each fragment's offset.
     * Returns false if this list is full.
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
     * Joins adjacent memory ranges if this list has more than {@code limit} fragments. Returns whether the list now has at
     * most {@code limit} fragments.
     */
    public boolean limitTo(int limit) {
        if (count > limit) {
            join();
        }
        return count <= limit;
    }

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

    public int count() {
        return count;
    }

    public long total() {
        return total;
    }

    public long offset(int index) {
        return offsets[index];
    }

    public long length(int index) {
        return lengths[index];
    }
}
