// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * The calls of LNet that an LND uses. The counterpart is {@link Lnd}, which has the rules for the calls of both
 * interfaces. Source: Lustre's {@code lnet_parse}, {@code lnet_finalize}, {@code lnet_create_reply_msg} and {@code
 * lnet_set_reply_msg_len}.
 */
public interface LndHost {

    /**
     * Passes a received message to LNet.
     *
     * @param header the LNet header, which LNet copies before this method returns
     * @param from the NID of the sending peer, which differs from the source in the header if the peer is a router
     * @param handle the LND's handle for the message
     * @param rdmaRequest whether the message announces an RDMA transfer of the payload instead of containing it
     * @return 0 if LNet calls {@link Lnd#receive} exactly once for the handle; {@code -EPROTO} if the header is
     *     invalid, so that the LND must close the connection
     */
    int parse(LnetHeader header, Nid from, ReceiveHandle handle, boolean rdmaRequest);

    /**
     * Ends a message that was sent or received or has failed. Each message must be completed exactly once.
     *
     * @param message the message
     * @param status 0 or a negative errno
     * @param health {@link HealthClass#OK} exactly if the status is 0
     */
    void complete(LnetMessage message, int status, HealthClass health);

    /**
     * Ends a message whose failure, if any, is local.
     *
     * @param message the message
     * @param status 0 or a negative errno
     */
    default void complete(LnetMessage message, int status) {
        complete(message, status, status < 0 ? HealthClass.LOCAL_ERROR : HealthClass.OK);
    }

    /**
     * Reports that the last connection, or connection attempt, of a peer ended with an error. Source: {@code
     * lnet_notify}.
     *
     * @param peer the NID of the peer
     */
    void peerLost(Nid peer);

    /**
     * Creates the message that replaces the REPLY to a GET which the LND executes by RDMA. The LND must complete both
     * messages, the GET first.
     *
     * @param get a GET that LNet passed to {@link Lnd#send}
     * @return the replacement, or null if the memory descriptor of the GET accepts no further operation; then the GET
     *     must fail with {@code -EIO}
     */
    @Nullable LnetMessage createReply(LnetMessage get);

    /**
     * Sets the actual length of a reply that arrived by RDMA.
     *
     * @param reply a message of {@link #createReply}
     * @param length the length in bytes, at most the length of the sink
     * @throws IllegalArgumentException if the length is negative or exceeds the sink; the LND must check the peer's
     *     value before
     */
    void replyLength(LnetMessage reply, long length);
}
