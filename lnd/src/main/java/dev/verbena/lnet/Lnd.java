// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * An LNet network driver (LND), which sends messages to network interfaces on its network. The LND calls LNet through
 * {@link LndHost}.
 *
 * <p>Several threads may call the methods of {@code Lnd} and {@code LndHost}, and the methods may call each other; no
 * method may block. LNet holds no lock when it calls the LND. The LND calls LNet under the lock of the message's peer.
 * While the LND passes a peer's message to LNet, LNet sends messages only to this peer or to the local node. Source:
 * {@code struct lnet_lnd} of Lustre, with the methods {@code lnd_send} and {@code lnd_recv}.
 */
public interface Lnd {

    /** The maximum payload of one message in bytes, 1 MiB. Source: {@code LNET_MTU}. */
    int MAX_PAYLOAD = 1 << 20;

    /**
     * Starts to send a message to the next hop of its route.
     *
     * <p>If an LND executes a GET by RDMA, the target writes directly to the GET's memory. An LND that executes a GET by
     * RDMA must complete the REPLY itself, see {@link LndHost#createReply}.
     *
     * @param message the message with its header, next hop and payload
     * @return 0 if the LND will call {@link LndHost#complete} exactly once, perhaps before this method returns; a
     *     negative errno if LNet must complete the message
     */
    int send(LnetMessage message);

    /**
     * Receives or discards the payload of a message that {@link LndHost#parse} has accepted.
     *
     * <p>If the message is the REPLY to a GET that requested RDMA, the LND writes the payload to the requester's memory.
     *
     * @param handle the LND's handle of the received message; the handle is invalid after this call
     * @param message the LNet message whose memory receives the payload, or null to discard the payload
     * @param wanted the number of bytes to receive, at most the length of the payload in the header
     * @param offered the length of the payload according to the LNet header
     * @return 0 or a negative errno. If 0 is returned and {@code message} is not null, the LND completes the message
     *     exactly once, perhaps before this method returns. If an errno is returned, LNet must complete the message
     */
    int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered);
}
