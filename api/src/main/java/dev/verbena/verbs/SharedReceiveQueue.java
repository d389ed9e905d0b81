// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive queue that several queue pairs take from ({@code struct ibv_srq}).
 *
 * <p>Posting may be done from several threads, with a batch of its own each; it neither allocates nor blocks.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html">ibv_create_srq(3)</a>
 * @since 1.0
 */
public interface SharedReceiveQueue extends AutoCloseable {
    /**
     * Returns the domain of this queue.
     *
     * @return the protection domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Returns the object that the creator attached.
     *
     * @return the context object, or null
     */
    @Nullable Object context();

    /**
     * Makes a batch of receive requests, laid out as this provider needs it.
     *
     * @param count how many, at least 1
     * @return a new batch for this queue
     */
    ReceiveRequests newReceiveRequests(int count);

    /**
     * Posts requests {@code first} to {@code first + count - 1} of a batch, in order ({@code ibv_post_srq_recv}).
     *
     * @param requests a batch made by this queue
     * @param first the first request
     * @param count how many
     * @return how many were taken; if less than {@code count}, the batch has the refused request and the reason
     */
    int postReceive(ReceiveRequests requests, int first, int count);

    /**
     * Posts the first requests of a batch.
     *
     * @param requests a batch made by this queue
     * @param count how many
     * @return as {@link #postReceive(ReceiveRequests, int, int)}
     */
    default int postReceive(ReceiveRequests requests, int count) {
        return postReceive(requests, 0, count);
    }

    /**
     * Posts the first requests of a batch, for programs to which any refusal is fatal.
     *
     * @param requests a batch made by this queue
     * @param count how many
     * @throws VerbsException if not all were taken; the message names the request and the cure. The requests before that one are
     *     posted
     */
    default void postAll(ReceiveRequests requests, int count) throws VerbsException {
        if (postReceive(requests, count) < count) {
            throw new VerbsException(
                    requests.refusal().errno(),
                    "ibv_post_srq_recv",
                    this + " did not take request " + requests.refusedIndex() + ": "
                            + requests.refusal().explanation());
        }
    }

    /**
     * Arms the limit event: once, when fewer receives than this are left ({@code IBV_SRQ_LIMIT}).
     *
     * @param limit 0 disarms; at most the queue's depth
     * @throws VerbsException {@code EINVAL} when out of range
     */
    void armLimit(int limit) throws VerbsException;

    /**
     * Changes the depth; posted receives stay, in order ({@code IBV_SRQ_MAX_WR}).
     *
     * @param maxWr the new depth
     * @throws VerbsException {@code EINVAL} when out of range, below an armed limit, or below the number of posted
     *     receives; {@link CapabilityException} without {@link Capability#SRQ_RESIZE}
     */
    void resize(int maxWr) throws VerbsException;

    /**
     * Returns depth and armed limit ({@code ibv_query_srq}).
     *
     * @return the present attributes; limit 0 means not armed
     * @throws VerbsException when the device refuses
     */
    SrqAttributes query() throws VerbsException;

    /**
     * Destroys the queue ({@code ibv_destroy_srq}).
     *
     * @throws VerbsException {@code EBUSY} while a queue pair uses it
     */
    @Override
    void close() throws VerbsException;
}
