// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair ({@code struct ibv_qp}).
 *
 * <p>Posting may be done from several threads, with a batch of its own each; it neither allocates nor blocks. The other
 * methods are control path and may also be called from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_qp.3.html">ibv_create_qp(3)</a>
 * @since 1.0
 */
public interface QueuePair extends AutoCloseable {
    /**
     * Returns the domain of this queue pair.
     *
     * @return the protection domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Returns the number by which peers address it.
     *
     * @return 24 bits
     */
    int number();

    /**
     * Returns the transport service.
     *
     * @return RC, UC or UD
     */
    QpType type();

    /**
     * Returns the depths the queue pair really has.
     *
     * @return never less than requested at creation
     */
    QpCapabilities capabilities();

    /**
     * Returns the completion queue of sends.
     *
     * @return the queue given at creation
     */
    CompletionQueue sendCq();

    /**
     * Returns the completion queue of receives.
     *
     * @return the queue given at creation
     */
    CompletionQueue receiveCq();

    /**
     * Returns the shared receive queue.
     *
     * @return the queue given at creation, or empty
     */
    Optional<SharedReceiveQueue> srq();

    /**
     * Returns the object that the creator attached.
     *
     * @return the context object, or null
     */
    @Nullable Object context();

    /**
     * Returns the present state.
     *
     * @return the state at this moment
     */
    QpState state();

    /**
     * Changes state and attributes ({@code ibv_modify_qp}). All or nothing. The mask follows from the attributes that
     * are set.
     *
     * <p>The transition to RESET drops the posted requests without completions, and removes the queue pair's unpolled
     * completions from the completion queues. Soft-RoCE leaves these completions in the queues; a program for Soft-RoCE
     * recognizes them by {@link WorkCompletion#qpNumber()}.
     *
     * @param attributes the new values
     * @throws VerbsException {@code EINVAL} when the transition does not exist, a required attribute is missing, one is
     *     not allowed in it, or a value is out of range; the message names it
     */
    void modify(QpAttributes attributes) throws VerbsException;

    /**
     * Returns state and attributes ({@code ibv_query_qp}).
     *
     * @return all attributes that have been set, with present PSNs
     * @throws VerbsException {@link CapabilityException} without {@link Capability#QP_QUERY}
     */
    QpAttributes query() throws VerbsException;

    /**
     * Explains the queue pair to people: state, attributes, peer and, where the provider knows, sequence numbers, the
     * cause of its end, and hints. Control path.
     *
     * @return the explanation
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
     * Makes a batch of send requests, laid out as this provider needs it.
     *
     * @param count how many, at least 1
     * @return a new batch for this queue pair
     */
    SendRequests newSendRequests(int count);

    /**
     * Makes a batch of receive requests, laid out as this provider needs it.
     *
     * @param count how many, at least 1
     * @return a new batch for this queue pair
     */
    ReceiveRequests newReceiveRequests(int count);

    /**
     * Posts requests {@code first} to {@code first + count - 1} of a batch, in order, ringing the doorbell once
     * ({@code ibv_post_send}).
     *
     * @param requests a batch made by this queue pair
     * @param first the first request
     * @param count how many
     * @return how many were taken; if less than {@code count}, the batch has the refused request and the reason, and
     *     the requests before it are posted
     * @throws IndexOutOfBoundsException if the batch has no such requests
     */
    int postSend(SendRequests requests, int first, int count);

    /**
     * Posts the first requests of a batch.
     *
     * @param requests a batch made by this queue pair
     * @param count how many
     * @return how many were taken, as {@link #postSend(SendRequests, int, int)}
     */
    default int postSend(SendRequests requests, int count) {
        return postSend(requests, 0, count);
    }

    /**
     * Posts requests {@code first} to {@code first + count - 1} of a batch, in order ({@code ibv_post_recv}).
     *
     * @param requests a batch made by this queue pair
     * @param first the first request
     * @param count how many
     * @return how many were taken; if less than {@code count}, the batch has the refused request and the reason @throws
     *     IndexOutOfBoundsException if the batch has no such requests
     */
    int postReceive(ReceiveRequests requests, int first, int count);

    /**
     * Posts the first requests of a batch.
     *
     * @param requests a batch made by this queue pair
     * @param count how many
     * @return how many were taken, as {@link #postReceive(ReceiveRequests, int, int)}
     */
    default int postReceive(ReceiveRequests requests, int count) {
        return postReceive(requests, 0, count);
    }

    /**
     * Returns the options of enhanced connection establishment that the device supports, or, after {@link #setEce} and the transition
     * to RTR, those in use ({@code ibv_query_ece}).
     *
     * @return the options, to be sent to the peer
     * @throws VerbsException {@link CapabilityException} without {@link Capability#ECE}
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_ece.3.html">ibv_query_ece(3)</a>
     */
    default Ece queryEce() throws VerbsException {
        throw new CapabilityException(
                Capability.ECE, "ibv_query_ece", protectionDomain().device().name());
    }

    /**
     * Sets the options that the peer sent, before the transition to RTR ({@code ibv_set_ece}). The device uses those that it knows.
     *
     * @param options the peer's options
     * @throws VerbsException {@link CapabilityException} without {@link Capability#ECE}; {@code EINVAL} if the driver refuses them
     * @see <a href="https://man7.org/linux/man-pages/man3/ibv_set_ece.3.html">ibv_set_ece(3)</a>
     */
    default void setEce(Ece options) throws VerbsException {
        throw new CapabilityException(
                Capability.ECE, "ibv_set_ece", protectionDomain().device().name());
    }

    /**
     * Returns whether the device writes the bytes of a message to memory in their order
     * ({@code ibv_query_qp_data_in_order}).
     *
     * @param opcode the peer's operation that writes the data, or a READ of this side
     * @return true if each byte of a message is written after the bytes before it; false where the provider promises no
     *     order, and in the states before RTR
     * @throws VerbsException if the query fails
     * @see <a
     *     href="https://man7.org/linux/man-pages/man3/ibv_query_qp_data_in_order.3.html">ibv_query_qp_data_in_order(3)</a>
     */
    default boolean isDataInOrder(SendOpcode opcode) throws VerbsException {
        return false;
    }

    /**
     * Posts the first requests of a batch, for programs to which any refusal is fatal.
     *
     * @param requests a batch made by this queue pair
     * @param count how many
     * @throws VerbsException if not all were taken; the message names the queue pair, its state, the request and the cure. The
     *     requests before that one are posted
     */
    default void postAll(SendRequests requests, int count) throws VerbsException {
        if (postSend(requests, count) < count) {
            throw refused("ibv_post_send", requests);
        }
    }

    /**
     * Posts the first requests of a batch, for programs to which any refusal is fatal.
     *
     * @param requests a batch made by this queue pair
     * @param count how many
     * @throws VerbsException if not all were taken, as {@link #postAll(SendRequests, int)}
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
                "QP " + number() + " (" + type() + ", " + state() + ") did not take request " + requests.refusedIndex()
                        + ": " + requests.refusal().explanation());
    }

    /**
     * Binds a window of type 1 by posting a request to this queue ({@code ibv_bind_mw}); its key is new at once.
     *
     * @param window the window
     * @param binding the range and the rights of the window; a length of 0 unbinds
     * @param workRequestId the id of the completion, which is signaled
     * @throws VerbsException {@code EINVAL} for a window of type 2, another domain, or a region without MW_BIND;
     *     {@code ENOMEM} when the send queue is full; {@link CapabilityException} without {@link Capability#MW_TYPE_1}
     */
    void bindMemoryWindow(MemoryWindow window, MemoryWindowBinding binding, long workRequestId) throws VerbsException;

    /**
     * Joins a multicast group ({@code ibv_attach_mcast}). UD only.
     *
     * @param group the group's GID
     * @param lid the group's LID; 0 on RoCE
     * @throws VerbsException {@code EINVAL} if this is not UD or the GID no group; {@code ENOMEM} at the device's limit;
     *     {@link CapabilityException} without {@link Capability#UD_MULTICAST}
     */
    void attachMulticast(Gid group, int lid) throws VerbsException;

    /**
     * Leaves a multicast group ({@code ibv_detach_mcast}).
     *
     * @param group the group's GID
     * @param lid the group's LID; 0 on RoCE
     * @throws VerbsException {@code EINVAL} if it was not attached
     */
    void detachMulticast(Gid group, int lid) throws VerbsException;

    /**
     * Destroys the queue pair from any state ({@code ibv_destroy_qp}). Requests in flight end without completion; after
     * the return the device accesses none of their memory. Unpolled completions are removed; Soft-RoCE leaves them, as
     * {@link #modify} describes.
     *
     * @throws VerbsException {@code EBUSY} while attached to a multicast group
     */
    @Override
    void close() throws VerbsException;
}
