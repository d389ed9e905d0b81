// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * The methods of LNet that an LND calls. {@link Lnd} describes thread safety and locking for calls of {@code LndHost}.
 * Source: {@code lnet_parse}, {@code lnet_finalize}, {@code lnet_create_reply_msg} and {@code lnet_set_reply_msg_len} of
 * Lustre.
 */
public interface LndHost {

    /**
     * Passes a received message to LNet for matching.
     *
     * @param header the LNet header of the message; LNet copies the header before this method returns
     * @param from the NID of the sending peer; a router's NID differs from the source NID in the header
     * @param handle the LND's handle of the received message
     * @param rdmaRequest whether the message requests an RDMA transfer of the payload instead of containing the payload
     * @return 0 if LNet calls {@link Lnd#receive} exactly once for the handle; {@code -EPROTO} if the header is invalid
     *     and the LND must close the connection
     */
    int parse(LnetHeader header, Nid from, ReceiveHandle handle, boolean rdmaRequest);

    /**
     * Completes a message that was sent, was received, or has failed. The LND must complete each message exactly once.
     *
     * @param message the message
     * @param status 0 or a negative errno
     * @param health the health class; {@link HealthClass#OK} if and only if the status is 0
     */
    void complete(LnetMessage message, int status, HealthClass health);

    /**
     * Completes a message. A failed message has the health class {@link HealthClass#LOCAL_ERROR}.
     *
     * @param message the message
     * @param status 0 or a negative errno
     */
    default void complete(LnetMessage message, int status) {
        complete(message, status, status < 0 ? HealthClass.LOCAL_ERROR : HealthClass.OK);
    }

    /**
     * Reports that the last connection or connection attempt of a peer ended with an error. Source: {@code lnet_notify}.
     *
     * @param peer the NID of the peer
     */
    void peerLost(Nid peer);

    /**
     * Creates a message that replaces the REPLY of a GET. The LND calls this method if it executes the GET by RDMA. The
     * LND must first complete the GET, and then the message that this method returned.
     *
     * @param get the GET that LNet passed to {@link Lnd#send}
     * @return the created message, or null if the GET's memory descriptor accepts no further operation; then the GET
     *     must fail with {@code -EIO}
     */
    @Nullable LnetMessage createReply(LnetMessage get);

    /**
     * Sets the actual length of a reply that arrived by RDMA.
     *
     * @param reply a message of {@link #createReply}
     * @param length the length of the reply in bytes, at most the length of the GET's destination buffer
     * @throws IllegalArgumentException if the length is negative or exceeds the length of the buffer; before the call, the
     *     LND must check a length that the peer sent
     */
    void replyLength(LnetMessage reply, long length);
}
