// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/**
 * Deviations of Soft-RoCE (rdma_rxe of Linux 6.12) from the InfiniBand specification in packets, completion statuses or
 * verbs calls. Each quirk can be switched on separately. This enum omits two deviations of Soft-RoCE that violate memory
 * safety. Soft-RoCE does not enforce the bounds of memory windows. Some access checks of Soft-RoCE do not compare the
 * protection domains.
 */
public enum Quirk {
    // Quirks of the requester.

    /** A retry_cnt of 7 means unlimited retries, although the specification permits this only for rnr_retry. */
    RETRIES_FOR_EVER,
    /** The requester sends new requests even during an RNR wait. Each NAK for a PSN sequence error uses up one retry. */
    SENDS_DURING_RNR_WAIT,
    /**
     * A send request that fails at the requester (bad local key or range, unsupported opcode, or refused bind)
     * completes with WR_FLUSH_ERR instead of the status of the error.
     */
    FAILING_SEND_IS_FLUSHED,
    /** As in Soft-RoCE, a UD send longer than the path MTU completes with SUCCESS although no packet is sent. */
    OVERSIZE_DATAGRAM_SUCCEEDS,
    /** As in Soft-RoCE, a failed send takes a UC or UD queue pair to ERR, not to SQE as the specification requires. */
    NO_SQE,
    /**
     * The M bit of all packets is 0, although the path migration state is MIGRATED. Other adapters set the M bit to 1, and
     * some of them drop received packets with an M bit of 0.
     */
    MIGREQ_ZERO,

    // Quirks of the completer.

    /** An acknowledgement of a PSN that was never sent completes all outstanding requests. */
    GHOST_ACK_COMPLETES,
    /** A READ or atomic completes with SUCCESS, without data, if an ACK arrives instead of its response. */
    ACK_COMPLETES_READ,
    /**
     * If a response is invalid, the request completes with SUCCESS, not BAD_RESP_ERR. The queue pair goes to ERR after an
     * invalid response. A response is invalid if its syndrome is reserved. A middle READ response or an atomic
     * acknowledgement is invalid as the response to a SEND.
     */
    BAD_RESPONSE_SUCCEEDS,
    /** A READ response to a request other than a READ completes the request with FATAL_ERR, not BAD_RESP_ERR. */
    UNEXPECTED_READ_RESPONSE_IS_FATAL,
    /** Every send completion reports the message length, not only the completions of READs and atomics. */
    SEND_COMPLETION_HAS_LENGTH,
    /** The completion of a send with immediate data has the flag WITH_IMMEDIATE. */
    SEND_COMPLETION_HAS_IMMEDIATE_FLAG,

    // Quirks of the responder.

    /**
     * The responder acknowledges each packet of a duplicate SEND or WRITE, even if the packet does not request an
     * acknowledgement.
     */
    ACKS_EVERY_DUPLICATE,
    /** Until the responder has executed a request, each ACK for an old PSN contains the PSN 0xFFFFFF. */
    DUPLICATE_ACK_UNINITIALIZED,
    /**
     * If the responder has executed a later atomic, ATOMIC_WRITE or FLUSH, the ACK of a duplicate SEND or WRITE contains
     * the PSN of that request.
     */
    DUPLICATE_ACK_COUNTS_ATOMICS,
    /** If a duplicate READ starts inside the original READ, the response starts with opcode MIDDLE or LAST. */
    REPEATED_READ_CONTINUES,
    /** The responder drops a duplicate READ that starts at a lower address than the previous duplicate of the same READ. */
    REPEATED_READ_NARROWS,
    /** The responder drops a retransmitted FLUSH, because it keeps no record of executed FLUSHes for retransmissions. */
    REPEATED_FLUSH_DROPPED,
    /**
     * A message longer than its receive request is answered with NAK 0x63 (remote operational error), and the receive
     * completes with LOC_QP_OP_ERR. A message is also answered with NAK 0x63 if a local key of its receive request does
     * not grant access to the memory.
     */
    BAD_RECEIVE_IS_OPERATION_ERROR,
    /** An RDMA WRITE with immediate data that fails its access check completes its receive with REM_ACCESS_ERR. */
    REFUSED_WRITE_IS_REMOTE_ACCESS_ERROR,
    /**
     * If the responder cannot invalidate the R_Key in a SEND with Invalidate, the responder acknowledges the SEND
     * nevertheless. The receive completes with an error, and the queue pair moves to ERR.
     */
    FAILED_INVALIDATE_ACKNOWLEDGED,
    /** An invalid request does not raise QP_REQ_ERR. */
    NO_REQUEST_ERROR_EVENT,
    /** The completion of a receive has the flag GRH even on connected queue pairs. */
    GRH_FLAG_ON_CONNECTED,
    /** On UC, a complete message that interrupts another message is dropped together with the interrupted message. */
    UC_DROPS_INTERRUPTING_MESSAGE,
    /** A datagram longer than its receive request is dropped, and the receive request stays first in its queue. */
    SHORT_DATAGRAM_RECEIVE_STAYS,
    /** LAST_WQE_REACHED is raised again whenever the responder of a queue pair in ERR runs. */
    LAST_WQE_REACHED_REPEATS,

    // Quirks of the verbs calls.

    /** SQ_DRAINED is raised even if the transition to SQD did not request this event. */
    SQ_DRAINED_ALWAYS,
    /**
     * The device rounds a queue pair's maximum numbers of outstanding READs and atomics up to a power of two. A query of
     * the queue pair returns the rounded maximum numbers.
     */
    READ_DEPTH_ROUNDED,
    /** A path MTU above the port's active MTU is accepted; packets longer than the interface MTU are dropped. */
    PATH_MTU_UNCHECKED,
    /** An iova that the caller chooses for a region must have the same page offset as the memory. */
    IOVA_KEEPS_PAGE_OFFSET,

    /**
     * If a call of {@code postSend} leaves more than one work request in the send queue, another thread sends the packets,
     * not the posting thread (must_sched).
     */
    BATCHES_DEFERRED,

    // Quirks of completion queues.

    /** A completion with an error does not count as solicited: a CQ armed only for solicited completions raises no event. */
    ERRORS_UNSOLICITED,
    /**
     * A full completion queue loses each further completion and remains usable. Each lost completion raises CQ_ERR. A lost
     * receive completion moves the queue pair to ERR; a lost send completion does not.
     */
    CQ_OVERRUN_GOES_ON,
    /** Completions of a queue pair stay in their queues when the queue pair is reset or destroyed. */
    STALE_COMPLETIONS_STAY;

    /** {@return the bit of this constant in a 64-bit mask of quirks} */
    public long mask() {
        return 1L << ordinal();
    }
}
