// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.SendWorkRequest;

/**
 * Two UD queue pairs on two nodes of a {@link VerbsNetwork}, in RTS, with the Q_Key {@link #QKEY}. A received message is
 * stored {@link #GRH_BYTES} after the start of its receive buffer.
 *
 * @param client the queue pair at the first node, with its memory region and completion queue
 * @param server the queue pair at the second node, with its memory region and completion queue
 * @param clientHandle the address handle with which the server sends to the client
 * @param serverHandle the address handle with which the client sends to the server
 */
public record UdPair(QpEnd client, QpEnd server, AddressHandle clientHandle, AddressHandle serverHandle) {
    /** The Q_Key of both queue pairs. */
    public static final int QKEY = 0x1111_1111;

    /** The length in bytes of the global route header before each received message. */
    public static final int GRH_BYTES = 40;

    /**
     * Sets the server as the destination of a send request that the client will post.
     *
     * @param request the request
     * @return the request
     */
    public SendWorkRequest toServer(SendWorkRequest request) {
        return request.to(serverHandle, server.qp().number(), QKEY);
    }

    /**
     * Sets the client as the destination of a send request that the server will post.
     *
     * @param request the request
     * @return the request
     */
    public SendWorkRequest toClient(SendWorkRequest request) {
        return request.to(clientHandle, client.qp().number(), QKEY);
    }
}
