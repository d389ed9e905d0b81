// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

/**
 * The users' ids of the requests in one queue, in the order of posting and completion. A completion frees its own slot
 * and those of earlier unsignaled requests. Not thread-safe.
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

    /**
     * Takes a slot.
     *
     * @return its position, 31 bits
     */
    int add(long id) {
        ids[(int) (next % ids.length)] = id;
        return (int) next++ & POSITION_BITS;
    }

    /** Frees the latest slot, because the device did not accept its request. */
    void removeLatest() {
        next--;
    }

    /**
     * Frees slots up to a position.
     *
     * @return the user's id of the request there
     */
    long complete(int position) {
        long completed = oldest + (position - (int) oldest & POSITION_BITS);
        oldest = completed + 1;
        return ids[(int) (completed % ids.length)];
    }
}
