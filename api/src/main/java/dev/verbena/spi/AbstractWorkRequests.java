// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkRequests;
import java.util.Objects;

/**
 * A batch that remembers which request the last post stopped at, and why. For one thread at a time.
 *
 * @since 1.0
 */
public abstract class AbstractWorkRequests implements WorkRequests {
    private final int capacity;
    private PostRefusal refusal = PostRefusal.NONE;
    private int refusedIndex = -1;

    /**
     * Makes a batch.
     *
     * @param capacity how many requests it holds, at least 1
     * @throws IllegalArgumentException if it is less
     */
    protected AbstractWorkRequests(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch of " + capacity + " requests; it needs at least 1");
        }
        this.capacity = capacity;
    }

    /**
     * Posts one request of the batch.
     *
     * @since 1.0
     */
    @FunctionalInterface
    protected interface Post {
        /**
         * Posts a request.
         *
         * @param index its index in the batch
         * @return NONE if the queue has taken it, else why not
         */
        PostRefusal post(int index);
    }

    /**
     * Posts requests one after the other until one is refused.
     *
     * @param first the first request
     * @param count how many
     * @param post posts one
     * @return how many were taken
     * @throws IndexOutOfBoundsException if the batch has no such requests
     */
    protected final int postEach(int first, int count, Post post) {
        Objects.checkFromIndexSize(first, count, capacity);
        refusal = PostRefusal.NONE;
        refusedIndex = -1;
        for (int taken = 0; taken < count; taken++) {
            refusal = post.post(first + taken);
            if (refusal != PostRefusal.NONE) {
                refusedIndex = first + taken;
                return taken;
            }
        }
        return count;
    }

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final PostRefusal refusal() {
        return refusal;
    }

    @Override
    public final int refusedIndex() {
        return refusedIndex;
    }

    @Override
    public String toString() {
        return capacity + " requests, " + refusal + (refusedIndex < 0 ? "" : " at " + refusedIndex);
    }
}
