// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

/**
 * The reason why a request failed or a queue pair ended, finer than a status. Each constant names the values that are recorded with
 * it.
 */
public enum FailureCause {
    /** Nothing has failed. */
    NONE,
    /** The application, or connection management, changed the state to ERR. */
    TAKEN_TO_ERROR,
    /** A completion queue lost a completion. */
    CQ_OVERRUN,
    /** An engine of the queue pair threw an exception. */
    ENGINE_FAILED,

    // On the requester's side.

    /** The peer refused the request: the syndrome of its NAK. */
    NAK,
    /** The retries without an acknowledgement are used up. */
    RETRIES_USED_UP,
    /** The RNR retries are used up. */
    RNR_RETRIES_USED_UP,
    /** A response that does not fit the request: its opcode. */
    BAD_RESPONSE,
    /** A READ response of the wrong length: the length, and the expected one. */
    READ_LENGTH,
    /** A local key of the send request does not grant its entry. */
    LOCAL_KEY,
    /** READ or atomic with max_rd_atomic 0. */
    NO_READ_DEPTH,
    /** BIND_MW, REG_MR or LOCAL_INV was refused. */
    LOCAL_OPERATION,
    /** The transport does not support the operation. */
    NO_SUCH_OPERATION,
    /** A datagram longer than the path MTU: its length, and the MTU. */
    DATAGRAM_LENGTH,
    /** A datagram without an address. */
    NO_ADDRESS,

    // On the responder's side.

    /** A packet that neither begins nor continues a message: its opcode. */
    MESSAGE_ORDER,
    /** The queue pair does not allow the peer this access: the mask of the access flags needed. */
    QP_ACCESS,
    /** A packet whose payload length is wrong for its position in the message: the length, and the path MTU. */
    PACKET_LENGTH,
    /** A message whose length differs from its header, or exceeds the maximum: the length in the header. */
    MESSAGE_LENGTH,
    /** READ or atomic with max_dest_rd_atomic 0. */
    NO_RESPONDER_DEPTH,
    /** An atomic that is not for eight aligned bytes: the address. */
    MISALIGNED,
    /** An access check refused the peer's key. */
    REMOTE_KEY,
    /** A message longer than its receive: the length received, and that of the receive. */
    RECEIVE_LENGTH,
    /** A local key of the receive does not grant its entry. */
    RECEIVE_KEY,
    /** A SEND with invalidate named a key that it may not invalidate: the key. */
    INVALIDATE
}
