// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * A network driver, as LNet sees it: it moves one message at a time to an interface of the same network. The other
 * half of the contract is {@link LndHost}.
 *
 * <p>Both halves may be called from several threads, and may call each other back; neither may block. LNet holds no lock
 * while it calls the driver, and the driver calls LNet under the lock of the message's peer. A message that LNet sends during
 * such a call goes to the same peer, or to the node itself.
 * Source: Lustre's {@code struct lnet_lnd}, methods {@code lnd_send} and {@code lnd_recv}.
 */
public interface Lnd {

    /** The most payload of one message, 1 MiB. Source: {@code LNET_MTU}. */
    int MAX_PAYLOAD = 1 << 20;

    /**
     * Starts to send a message to its next hop.
     *
     * <p>For a GET the driver may choose to have the target write straight into the memory of the message's descriptor
     * and to complete the REPLY itself, see {@link LndHost#createReply}.
     *
     * @param message header, next hop and payload
     * @return 0 if the driver took it, and will call {@link LndHost#complete} exactly once, perhaps before this returns;
     *     a negative errno if it did not, and LNet completes it
     */
    int send(LnetMessage message);

    /**
     * Consumes or discards the payload of a message that {@link LndHost#parse} accepted.
     *
     * <p>If the message is the answer to a GET that the driver presented as an RDMA request, the driver writes its
     * payload into the requester's memory.
     *
     * @param handle names the received message; not to be used again
     * @param message where the payload belongs, or null to discard it
     * @param wanted bytes to take, at most {@code offered}; 0 is legal with and without a message
     * @param offered bytes of payload that the header promised
     * @return 0 if the driver took the message, if any, and will complete it exactly once, perhaps before this returns.
     *     A negative errno if it did not; then LNet completes the message. The handle is invalid in both cases
     */
    int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered);
}
