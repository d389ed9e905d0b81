// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

/**
 * Stores the work request ids of one queue in posting order, which is also the completion order. The completion of a
 * request frees the slot of this request, and the slots of the unsignaled requests before it. Not thread-safe.
 */
final class PostedIds {
    private static final int POSITION_BITS = 0x7FFF_FFFF;

    private final long[] ids;
    private long oldest;
    private long next;

    PostedIds(int depth) {
        ids = new long[depth];
    }

    boolean isFull() {
        return next - oldest == ids.length;
    }

    /** Stores a work request id, and returns the 31-bit number by which the id can be found. */
    int add(long id) {
        ids[(int) (next % ids.length)] = id;
        return (int) next++ & POSITION_BITS;
    }

    /** Frees the slot of the request that was added last, because the post of this request failed. */
    void removeLatest() {
        next--;
    }

    /** Frees all slots up to a position, and returns the application's id of the request at that position. */
    long complete(int position) {
        long completed = oldest + (position - (int) oldest & POSITION_BITS);
        oldest = completed + 1;
        return ids[(int) (completed % ids.length)];
    }
}
