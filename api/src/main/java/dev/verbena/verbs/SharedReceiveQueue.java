// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive queue that several queue pairs use ({@code struct ibv_srq}).
 *
 * <p>Thread-safe; each posting thread needs its own batch of receive requests. Posts neither allocate nor block.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html">ibv_create_srq(3)</a>
 * @since 1.0
 */
public interface SharedReceiveQueue extends AutoCloseable {
    /** {@return the protection domain of this queue} */
    ProtectionDomain protectionDomain();

    /** {@return the object that the application attached to this queue when it created the queue, or null} */
    @Nullable Object context();

    /**
     * Creates a batch of receive requests in this provider's own format, such as {@code struct ibv_recv_wr}.
     *
     * @param count the maximum number of requests in the batch, at least 1
     * @return a new batch of receive requests for this queue
     */
    ReceiveRequests newReceiveRequests(int count);

    /**
     * Posts consecutive requests of a batch of receive requests ({@code ibv_post_srq_recv}).
     *
     * @param requests a batch from this queue
     * @param first the index of the first request to post
     * @param count the number of requests
     * @return the number of accepted requests; after a refusal, the batch reports the index of the refused request and the reason
     */
    int postReceive(ReceiveRequests requests, int first, int count);

    /**
     * Posts consecutive receive requests of a batch, beginning with the request at index 0.
     *
     * @param requests a batch from this queue
     * @param count the number of requests
     * @return as {@link #postReceive(ReceiveRequests, int, int)}
     */
    default int postReceive(ReceiveRequests requests, int count) {
        return postReceive(requests, 0, count);
    }

    /**
     * Posts consecutive receive requests of a batch, beginning with the request at index 0. Use this method if the
     * application cannot continue after a refused request.
     *
     * @param requests a batch from this queue
     * @param count the number of requests
     * @throws VerbsException if the provider refused a receive request; the message states the index of the request, the
     *     reason and the remedy. The requests before the refused request are posted
     */
    default void postAll(ReceiveRequests requests, int count) throws VerbsException {
        if (postReceive(requests, count) < count) {
            throw new VerbsException(
                    requests.refusal().errno(),
                    "ibv_post_srq_recv",
                    this + " refused request " + requests.refusedIndex() + ": "
                            + requests.refusal().explanation());
        }
    }

    /**
     * Arms the SRQ limit event. The device raises this event once, as soon as the number of posted receives is below the
     * SRQ limit ({@code IBV_SRQ_LIMIT}).
     *
     * @param limit the SRQ limit, at most the queue's size; 0 disarms the SRQ limit event
     * @throws VerbsException {@code EINVAL} if the limit is out of range
     */
    void armLimit(int limit) throws VerbsException;

    /**
     * Changes the size of the SRQ ({@code IBV_SRQ_MAX_WR}). A resized SRQ keeps its posted receives, in the same order.
     *
     * @param maxWr the new size
     * @throws VerbsException {@code EINVAL} if the size is out of range, below an armed limit, or below the number of posted
     *     receives; {@link CapabilityException} without {@link Capability#SRQ_RESIZE}
     */
    void resize(int maxWr) throws VerbsException;

    /**
     * Returns the size and the armed SRQ limit of the queue ({@code ibv_query_srq}).
     *
     * @return the current attributes of the queue; limit 0 means that the SRQ limit event is not armed
     * @throws VerbsException if the query fails
     */
    SrqAttributes query() throws VerbsException;

    /**
     * Destroys the queue ({@code ibv_destroy_srq}).
     *
     * @throws VerbsException {@code EBUSY} while a queue pair uses this queue
     */
    @Override
    void close() throws VerbsException;
}
