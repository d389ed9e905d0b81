// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

/**
 * The reason why a request failed or a queue pair entered the error state. The reason is more precise than a completion
 * status. The comment of a constant names any further values in the queue pair's failure record, such as an opcode.
 */
public enum FailureCause {
    /** No request has failed. */
    NONE,
    /** The application, or connection management, moved the queue pair to ERR. */
    TAKEN_TO_ERROR,
    /** A completion queue lost a completion. */
    CQ_OVERRUN,
    /** An engine of the queue pair threw an exception. */
    ENGINE_FAILED,

    // Causes that the requester records.

    /** The peer refused the request. The failure record then contains the syndrome of the peer's NAK. */
    NAK,
    /** The requester has used up its retries without receiving an acknowledgement. */
    RETRIES_USED_UP,
    /** The requester has used up its RNR retries. */
    RNR_RETRIES_USED_UP,
    /** A response does not fit the request. The failure record then contains the opcode of the response. */
    BAD_RESPONSE,
    /** A READ response has the wrong length. The failure record then contains the actual and the expected length. */
    READ_LENGTH,
    /** A scatter-gather entry of the send request has a local key that does not grant access to the entry's bytes. */
    LOCAL_KEY,
    /** A READ or atomic was posted to a queue pair with max_rd_atomic 0. */
    NO_READ_DEPTH,
    /** The device refused a BIND_MW, REG_MR or LOCAL_INV. */
    LOCAL_OPERATION,
    /** The transport does not support the operation. */
    NO_SUCH_OPERATION,
    /** A datagram is longer than the path MTU. The failure record then contains the length and the path MTU. */
    DATAGRAM_LENGTH,
    /** A datagram was posted without an address handle. */
    NO_ADDRESS,

    // Causes that the responder records.

    /**
     * The responder received a packet that neither begins nor continues a message. The failure record then contains the
     * opcode of the packet.
     */
    MESSAGE_ORDER,
    /** The queue pair's access flags forbid a request. The failure record then contains the mask of required flags. */
    QP_ACCESS,
    /** A payload length is wrong for the packet's opcode. The failure record then contains length and path MTU. */
    PACKET_LENGTH,
    /**
     * A message is too long, or its length differs from the length in its RETH. The failure record then contains the
     * length from the RETH.
     */
    MESSAGE_LENGTH,
    /** A READ or atomic arrived at a queue pair with max_dest_rd_atomic 0. */
    NO_RESPONDER_DEPTH,
    /** An atomic operation addresses misaligned bytes. The failure record then contains the misaligned address. */
    MISALIGNED,
    /** An access check refused the peer's key. */
    REMOTE_KEY,
    /** A message does not fit its receive request. The failure record then contains the message and buffer lengths. */
    RECEIVE_LENGTH,
    /** A scatter-gather entry of the receive has a local key that does not grant access to the entry's bytes. */
    RECEIVE_KEY,
    /** A SEND with invalidate had a key that the peer may not invalidate. The failure record then contains the key. */
    INVALIDATE
}
