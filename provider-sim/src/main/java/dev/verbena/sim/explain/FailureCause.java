// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

/**
 * The reason why a request failed or a queue pair entered the error state, more precise than a completion status. If the
 * queue pair's {@link QpRecord} contains further values, such as an opcode, the comment of the constant lists them.
 */
public enum FailureCause {
    NONE,
    /** The application, or connection management, moved the queue pair to ERR. */
    TAKEN_TO_ERROR,
    CQ_OVERRUN,
    ENGINE_FAILED,

    // Causes that the requester records.

    /** The peer refused the request; the queue pair's {@code QpRecord} contains the syndrome of the peer's NAK. */
    NAK,
    RETRIES_USED_UP,
    RNR_RETRIES_USED_UP,
    /** A response does not match its work request; the queue pair's {@code QpRecord} has the opcode of the response. */
    BAD_RESPONSE,
    /** A READ response has the wrong length; the queue pair's {@code QpRecord} has the actual and the expected length. */
    READ_LENGTH,
    /** A scatter-gather entry of the send request has an L_Key that does not grant access to the entry's bytes. */
    LOCAL_KEY,
    /** A READ, atomic, ATOMIC_WRITE or FLUSH was posted to a queue pair with max_rd_atomic 0. */
    NO_READ_DEPTH,
    /** The device refused a BIND_MW, REG_MR or LOCAL_INV. */
    LOCAL_OPERATION,
    NO_SUCH_OPERATION,
    /** A datagram is longer than the path MTU; the queue pair's {@code QpRecord} contains the length and the path MTU. */
    DATAGRAM_LENGTH,
    NO_ADDRESS,

    // Causes that the responder records.

    /** A packet neither begins nor continues a message; the queue pair's {@code QpRecord} has the packet's opcode. */
    MESSAGE_ORDER,
    /** A request needs access flags that the queue pair lacks; its {@code QpRecord} has the mask of the needed flags. */
    QP_ACCESS,
    /** The payload length contradicts the opcode; the queue pair's {@code QpRecord} has the length and the path MTU. */
    PACKET_LENGTH,
    /**
     * A message is too long, or contradicts the length in the RETH; the queue pair's {@code QpRecord} has the RETH's
     * length.
     */
    MESSAGE_LENGTH,
    /** A READ, atomic, ATOMIC_WRITE or FLUSH arrived at a queue pair with max_dest_rd_atomic 0. */
    NO_RESPONDER_DEPTH,
    /** An atomic operation has a misaligned address; the queue pair's {@code QpRecord} contains this address. */
    MISALIGNED,
    REMOTE_KEY,
    /** A message does not fit its receive request; the queue pair's {@code QpRecord} contains both lengths. */
    RECEIVE_LENGTH,
    /** A scatter-gather entry of the receive request has an L_Key that does not grant access to the entry's bytes. */
    RECEIVE_KEY,
    /** A SEND with invalidate has a forbidden R_Key; the queue pair's {@code QpRecord} contains this R_Key. */
    INVALIDATE
}
