// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair ({@code struct ibv_qp}).
 *
 * <p>All methods of a queue pair are thread-safe, but each thread that posts needs a {@code SendRequests} or
 * {@code ReceiveRequests} of its own. Posts neither allocate nor block. The other methods of a queue pair belong to the
 * control path.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_qp.3.html">ibv_create_qp(3)</a>
 * @since 1.0
 */
public interface QueuePair extends AutoCloseable {
    /** {@return the protection domain of this queue pair} */
    ProtectionDomain protectionDomain();

    /** {@return the queue pair number (QPN), 24 bits} */
    int number();

    /** {@return the transport service: RC, UC or UD} */
    QpType type();

    /** {@return the actual queue sizes; each size is at least the size that the application requested} */
    QpCapabilities capabilities();

    /** {@return the completion queue of the queue pair's sends} */
    CompletionQueue sendCq();

    /** {@return the completion queue of the queue pair's receives} */
    CompletionQueue receiveCq();

    /** {@return the shared receive queue of the queue pair; empty if the queue pair has a receive queue of its own} */
    Optional<SharedReceiveQueue> srq();

    /** {@return the object that the application attached to this queue pair when it created the queue pair, or null} */
    @Nullable Object context();

    /** {@return the state of the queue pair at the time of the call} */
    QpState state();

    /**
     * Changes the state and attributes of the queue pair ({@code ibv_modify_qp}). If the call fails, the queue pair is unchanged.
     * The mask of {@code ibv_modify_qp} is derived from the attributes that are set.
     *
     * <p>The transition to RESET drops the posted requests without completions, and removes the queue pair's unpolled
     * completions from the completion queues. With Soft-RoCE, unpolled completions of a reset queue pair remain in its CQs;
     * an application recognizes them by {@link WorkCompletion#qpNumber()}.
     *
     * @param attributes the new values
     * @throws VerbsException {@code EINVAL} if the transition does not exist, lacks a required attribute or does not allow an
     *     attribute, or if a value is out of range. The message names the attribute
     */
    void modify(QpAttributes attributes) throws VerbsException;

    /**
     * Returns the state and attributes of the queue pair ({@code ibv_query_qp}).
     *
     * @return all attributes that have been set; {@code sqPsn} and {@code rqPsn} have the current values
     * @throws VerbsException {@link CapabilityException} without {@link Capability#QP_QUERY}
     */
    QpAttributes query() throws VerbsException;

    /**
     * Returns a diagnosis of the queue pair for a human reader: its state and capabilities. Some providers add the
     * attributes, the peer, the PSNs, hints at mistakes of the application, and the {@link RootCause}. Not for the data
     * path.
     *
     * @return the diagnosis of the queue pair
     */
    default Explanation explain() {
        return new Explanation(
                "QP " + number() + " (" + type() + ", " + state() + ")",
                List.of("depths: " + capabilities()),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /**
     * Creates a batch of send requests in this provider's own format, such as {@code struct ibv_send_wr}.
     *
     * @param count the maximum number of requests in the batch, at least 1
     * @return a new batch of send requests for this queue pair
     */
    SendRequests newSendRequests(int count);

    /**
     * Creates a batch of receive requests in this provider's own format, such as {@code struct ibv_recv_wr}.
     *
     * @param count the maximum number of requests in the batch, at least 1
     * @return a new batch of receive requests for this queue pair
     */
    ReceiveRequests newReceiveRequests(int count);

    /**
     * Posts consecutive send requests of a batch with one doorbell ({@code ibv_post_send}).
     *
     * @param requests a batch from {@link #newSendRequests} of this queue pair
     * @param first the index of the first request to post
     * @param count the number of requests
     * @return the number of requests accepted. If the provider refuses a request, the earlier requests of the batch are
     *     posted, and the batch records the refused request and the reason
     * @throws IndexOutOfBoundsException if an index is not inside the batch
     */
    int postSend(SendRequests requests, int first, int count);

    /**
     * Posts consecutive send requests of a batch, beginning with the request at index 0.
     *
     * @param requests a batch from {@link #newSendRequests} of this queue pair
     * @param count the number of requests
     * @return the number of accepted requests; after a refusal, the batch reports the index of the refused request and the reason
     */
    default int postSend(SendRequests requests, int count) {
        return postSend(requests, 0, count);
    }

    /**
     * Posts consecutive receive requests of a request batch ({@code ibv_post_recv}).
     *
     * @param requests a batch from {@link #newReceiveRequests} of this queue pair
     * @param first the index of the first request to post
     * @param count the number of requests
     * @return the number of accepted requests; after a refusal, the batch reports the index of the refused request and the reason
     * @throws IndexOutOfBoundsException if an index is not inside the batch
     */
    int postReceive(ReceiveRequests requests, int first, int count);

    /**
     * Posts consecutive receive requests of a batch, beginning with the request at index 0.
     *
     * @param requests a batch from {@link #newReceiveRequests} of this queue pair
     * @param count the number of requests
     * @return the number of accepted requests; after a refusal, the batch reports the index of the refused request and the reason
     */
    default int postReceive(ReceiveRequests requests, int count) {
        return postReceive(requests, 0, count);
    }

    /**
     * Returns the ECE options that the device supports ({@code ibv_query_ece}). After {@link #setEce} and the
     * transition to RTR, {@code queryEce} returns the ECE options that the queue pair uses.
     *
     * @return the ECE options, which the application sends to the peer
     * @throws VerbsException {@link CapabilityException} without {@link Capability#ECE}
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_ece.3.html">ibv_query_ece(3)</a>
     */
    default Ece queryEce() throws VerbsException {
        throw new CapabilityException(
                Capability.ECE, "ibv_query_ece", protectionDomain().device().name());
    }

    /**
     * Sets the ECE options of the peer, before the transition to RTR ({@code ibv_set_ece}). Of the peer's ECE options, the
     * device uses only those that it supports.
     *
     * @param options the peer's options
     * @throws VerbsException {@link CapabilityException} without {@link Capability#ECE}; {@code EINVAL} if the driver does
     *     not accept the ECE options
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_set_ece.3.html">ibv_set_ece(3)</a>
     */
    default void setEce(Ece options) throws VerbsException {
        throw new CapabilityException(
                Capability.ECE, "ibv_set_ece", protectionDomain().device().name());
    }

    /**
     * Returns whether the device writes the bytes of a message to memory in ascending order ({@code ibv_query_qp_data_in_order}).
     *
     * @param opcode the opcode of the request that writes to local memory, such as an RDMA WRITE of the peer or an RDMA
     *     READ of this queue pair
     * @return true if each byte of a message is written after all earlier bytes of the message; false if the provider
     *     promises no order; always false before the queue pair is in RTR
     * @throws VerbsException if the query fails
     * @see <a
     *     href="https://man7.org/linux/man-pages/man3/ibv_query_qp_data_in_order.3.html">ibv_query_qp_data_in_order(3)</a>
     */
    default boolean isDataInOrder(SendOpcode opcode) throws VerbsException {
        return false;
    }

    /**
     * Posts consecutive send requests of a batch, beginning with the request at index 0. Use this method if the application
     * cannot continue after a refused request.
     *
     * @param requests a batch from {@link #newSendRequests} of this queue pair
     * @param count the number of requests
     * @throws VerbsException if a request was refused; the message states the queue pair, its state, the index of the
     *     request, the reason and the remedy. The requests before the refused request are posted
     */
    default void postAll(SendRequests requests, int count) throws VerbsException {
        if (postSend(requests, count) < count) {
            throw refused("ibv_post_send", requests);
        }
    }

    /**
     * Posts consecutive receive requests of a batch, beginning with the request at index 0. Use this method if the
     * application cannot continue after a refused request.
     *
     * @param requests a batch from {@link #newReceiveRequests} of this queue pair
     * @param count the number of requests
     * @throws VerbsException if a request was refused; the message states the queue pair, its state, the index of the
     *     request, the reason and the remedy. The requests before the refused request are posted
     */
    default void postAll(ReceiveRequests requests, int count) throws VerbsException {
        if (postReceive(requests, count) < count) {
            throw refused("ibv_post_recv", requests);
        }
    }

    private VerbsException refused(String verb, WorkRequests requests) {
        return new VerbsException(
                requests.refusal().errno(),
                verb,
                "QP " + number() + " (" + type() + ", " + state() + ") refused request " + requests.refusedIndex()
                        + ": " + requests.refusal().explanation());
    }

    /**
     * Posts the bind of a type 1 memory window ({@code ibv_bind_mw}); the window's R_Key changes immediately.
     *
     * @param window the window
     * @param binding the range and the access rights of the memory window; a length of 0 unbinds the window
     * @param workRequestId the work request id; the bind always produces a completion with this id
     * @throws VerbsException {@code EINVAL} for a type 2 window, a window of another protection domain, or a region without
     *     MW_BIND; {@code ENOMEM} if the send queue is full; {@link CapabilityException} without {@link
     *     Capability#MW_TYPE_1}
     */
    void bindMemoryWindow(MemoryWindow window, MemoryWindowBinding binding, long workRequestId) throws VerbsException;

    /**
     * Attaches the queue pair to a multicast group ({@code ibv_attach_mcast}). UD only.
     *
     * @param group the group's GID
     * @param lid the LID of the multicast group; 0 on RoCE
     * @throws VerbsException {@code EINVAL} if the queue pair is not UD or the GID is not a multicast GID; {@code ENOMEM} at the
     *     device's limit; {@link CapabilityException} without {@link Capability#UD_MULTICAST}
     */
    void attachMulticast(Gid group, int lid) throws VerbsException;

    /**
     * Detaches the queue pair from a multicast group ({@code ibv_detach_mcast}).
     *
     * @param group the group's GID
     * @param lid the LID of the multicast group; 0 on RoCE
     * @throws VerbsException {@code EINVAL} if the queue pair is not attached to the group
     */
    void detachMulticast(Gid group, int lid) throws VerbsException;

    /**
     * Destroys the queue pair from any state ({@code ibv_destroy_qp}). Outstanding requests produce no completions; after
     * this method returns, the device no longer accesses their memory. The destroyed queue pair's unpolled completions are
     * removed from the completion queue. Soft-RoCE leaves the unpolled completions of a destroyed queue pair in the
     * completion queue; see {@link #modify}.
     *
     * @throws VerbsException {@code EBUSY} while the queue pair is attached to a multicast group
     */
    @Override
    void close() throws VerbsException;
}
