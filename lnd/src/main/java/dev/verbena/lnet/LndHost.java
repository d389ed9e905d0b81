// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * LNet, as a network driver sees it. The other half of the contract is {@link Lnd}, which has the rules for calls of
 * both.
 *
 * <p>Source: Lustre's {@code lnet_parse}, {@code lnet_finalize}, {@code lnet_create_reply_msg} and
 * {@code lnet_set_reply_msg_len}.
 */
public interface LndHost {

    /**
     * Passes a received message to LNet.
     *
     * @param header its LNet header; copied before this returns
     * @param from the interface that sent it, which is not the header's source when it came through a router
     * @param handle the driver's name for it
     * @param rdmaRequest whether the sender announced the payload, or its sink, instead of sending it in the message
     * @return 0 if LNet has called, or will call, {@link Lnd#receive} exactly once for the handle; {@code -EPROTO} if
     *     the header is invalid; then LNet does not call it, and the driver closes the connection
     */
    int parse(LnetHeader header, Nid from, ReceiveHandle handle, boolean rdmaRequest);

    /**
     * Ends a message: sent, received or failed. Each message is completed once.
     *
     * @param message the message
     * @param status 0 or a negative errno
     * @param health {@link HealthClass#OK} exactly if the status is 0
     */
    void complete(LnetMessage message, int status, HealthClass health);

    /**
     * Ends a message that only this side has handled.
     *
     * @param message the message
     * @param status 0 or a negative errno
     */
    default void complete(LnetMessage message, int status) {
        complete(message, status, status < 0 ? HealthClass.LOCAL_ERROR : HealthClass.OK);
    }

    /**
     * Reports that the last connection to a peer, or the last attempt to make one, ended with an error. Source:
     * {@code lnet_notify}.
     *
     * @param peer the peer's interface
     */
    void peerLost(Nid peer);

    /**
     * Makes the message that replaces the REPLY of a GET which the driver serves by RDMA, so that no REPLY is sent. The
     * driver completes both, the GET first.
     *
     * @param get a GET that this driver was given to send
     * @return the stand-in, or null if the GET's descriptor can take no further operation; the GET then fails with
     *     {@code -EIO}
     */
    @Nullable LnetMessage createReply(LnetMessage get);

    /**
     * Sets the real length of a reply that arrived by RDMA.
     *
     * @param reply from {@link #createReply}
     * @param length bytes, at most the length of the sink
     * @throws IllegalArgumentException if it is longer than the sink or negative; drivers check the peer's value before
     */
    void replyLength(LnetMessage reply, long length);
}
