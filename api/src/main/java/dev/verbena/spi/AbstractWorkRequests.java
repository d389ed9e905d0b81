// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkRequests;
import java.util.Objects;

/**
 * A batch of work requests. The batch records which request the last {@code postSend} or {@code postReceive} call refused,
 * and the reason ({@link PostRefusal}). Not thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractWorkRequests implements WorkRequests {
    private final int capacity;
    private PostRefusal refusal = PostRefusal.NONE;
    private int refusedIndex = -1;

    /**
     * Creates a batch.
     *
     * @param capacity the number of work requests in the batch, at least 1
     * @throws IllegalArgumentException if the capacity of the batch is less than 1
     */
    protected AbstractWorkRequests(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch of " + capacity + " requests; it needs at least 1");
        }
        this.capacity = capacity;
    }

    /**
     * Posts one request of a request batch to the queue pair or SRQ that created the batch.
     *
     * @since 1.0
     */
    @FunctionalInterface
    protected interface Post {
        /**
         * Posts a request.
         *
         * @param index the index of the work request in its batch
         * @return {@link PostRefusal#NONE} if the queue accepted the request, else the reason why it refused the request
         */
        PostRefusal post(int index);
    }

    /**
     * Posts consecutive requests of the batch until the queue refuses one.
     *
     * @param first the index of the first request to post
     * @param count the number of requests to post
     * @param post the function that posts one request
     * @return the number of requests that the queue accepted
     * @throws IndexOutOfBoundsException if the range of indexes is not inside this batch of work requests
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
