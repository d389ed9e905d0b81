// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * An LNet network driver (LND): sends one message at a time to an interface of the same network. The counterpart of an
 * LND is {@link LndHost}.
 *
 * <p>Methods of both interfaces may be called from several threads and from each other, and must not block. LNet holds
 * no lock when it calls the LND; the LND calls LNet under the lock of the message's peer. A message that LNet sends
 * during such a call goes to the same peer or to the node itself. Source: Lustre's {@code struct lnet_lnd}, methods
 * {@code lnd_send} and {@code lnd_recv}.
 */
public interface Lnd {

    /** The longest payload of one message in bytes, 1 MiB. Source: {@code LNET_MTU}. */
    int MAX_PAYLOAD = 1 << 20;

    /**
     * Starts to send a message to its next hop.
     *
     * <p>For a GET the LND may let the target write directly to the memory of the message's descriptor, and complete
     * the REPLY itself, see {@link LndHost#createReply}.
     *
     * @param message the message, with header, next hop and payload
     * @return 0 if the LND will call {@link LndHost#complete} exactly once, perhaps before this method returns; a
     *     negative errno if LNet must complete the message
     */
    int send(LnetMessage message);

    /**
     * Receives or discards the payload of a message that {@link LndHost#parse} accepted.
     *
     * <p>If the message is the answer to a GET that was an RDMA request, the LND writes the payload into the
     * requester's memory.
     *
     * @param handle the handle of the received message, which is invalid after this call
     * @param message the message with the memory for the payload, or null to discard the payload
     * @param wanted the number of bytes to receive, at most {@code offered}; may be 0
     * @param offered the length of the payload in the header
     * @return 0 if the LND will complete the message, if there is one, exactly once, perhaps before this method
     *     returns; a negative errno if LNet must complete the message
     */
    int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered);
}
