// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.wire.Protocol;

/**
 * The memory of one RDMA transfer: a range of the node's registered memory for each memory segment of the payload. Adjacent
 * ranges are not joined; the kernel module does not join them either. Not thread-safe.
 */
public final class PieceList {

    private final FragmentList pieces = new FragmentList();
    private int fragments;

    public PieceList() {}

    public void clear() {
        pieces.clear();
        fragments = 0;
    }

    /**
     * Adds a memory range to this list. If the memory range would raise {@link #fragments()} above {@link
     * Protocol#MAX_FRAGMENTS}, this method adds nothing and returns false.
     */
    public boolean add(long offset, long length) {
        long more = (offset + length - 1) / NodeMemory.PAGE - offset / NodeMemory.PAGE + 1;
        if (fragments + more > Protocol.MAX_FRAGMENTS) {
            return false;
        }
        fragments += (int) more;
        return pieces.add(offset, length);
    }

    public int count() {
        return pieces.count();
    }

    /** Returns the number of fragments that a split of all memory ranges at page boundaries would produce. */
    public int fragments() {
        return fragments;
    }

    public long total() {
        return pieces.total();
    }

    public long offset(int index) {
        return pieces.offset(index);
    }

    public long length(int index) {
        return pieces.length(index);
    }

    public long end(int index) {
        return pieces.offset(index) + pieces.length(index);
    }
}
