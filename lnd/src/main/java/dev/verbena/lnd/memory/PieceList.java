// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.wire.Protocol;

/**
 * The memory of one transfer: pieces of the node's memory, one for each slice of the payload, however many pages it has.
 * Neighbours stay apart, as a host without contiguous memory describes each slice by pages of its own. Reused from transfer to
 * transfer. Not thread-safe.
 */
public final class PieceList {

    private final FragmentList pieces = new FragmentList();
    private int fragments;

    /** Creates an empty list. */
    public PieceList() {}

    /** Empties the list. */
    public void clear() {
        pieces.clear();
        fragments = 0;
    }

    /**
     * Adds a piece if a descriptor could name it page by page.
     *
     * @param offset where in the node's memory it starts, 0 or more; pages count from the memory's start
     * @param length its bytes, 1 or more
     * @return false if {@link #fragments()} would be more than {@link Protocol#MAX_FRAGMENTS}; it is not added then
     */
    public boolean add(long offset, long length) {
        long more = (offset + length - 1) / NodeMemory.PAGE - offset / NodeMemory.PAGE + 1;
        if (fragments + more > Protocol.MAX_FRAGMENTS) {
            return false;
        }
        fragments += (int) more;
        return pieces.add(offset, length);
    }

    /**
     * How many pieces there are.
     *
     * @return 0 to {@link #fragments()}
     */
    public int count() {
        return pieces.count();
    }

    /** {@return the fragments that describe the pieces page by page, 0 to 257; a page that two pieces share counts for both} */
    public int fragments() {
        return fragments;
    }

    /** {@return the bytes of all pieces} */
    public long total() {
        return pieces.total();
    }

    /**
     * Where a piece starts.
     *
     * @param index 0 to {@link #count()} - 1
     * @return bytes from the start of the node's memory
     */
    public long offset(int index) {
        return pieces.offset(index);
    }

    /**
     * Bytes of a piece.
     *
     * @param index 0 to {@link #count()} - 1
     * @return 1 or more
     */
    public long length(int index) {
        return pieces.length(index);
    }

    /**
     * Where a piece ends.
     *
     * @param index 0 to {@link #count()} - 1
     * @return bytes from the start of the node's memory to the first byte after the piece
     */
    public long end(int index) {
        return pieces.offset(index) + pieces.length(index);
    }
}
