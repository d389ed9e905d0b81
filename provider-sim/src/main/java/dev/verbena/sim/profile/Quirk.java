package dev.verbena.sim.profile;

/**
 * Where Linux Soft-RoCE (rdma_rxe of 6.12) does otherwise than the specification asks, on the wire, in statuses or in what the
 * verbs accept. Each may be switched on by itself. None gives up memory safety: that Soft-RoCE does not enforce the bounds of
 * memory windows or compares too few protection domains is not here.
 */
public enum Quirk {
    // Requester.

    /** A retry count of 7 means for ever; the specification knows that only of RNR retries. */
    RETRIES_FOR_EVER,
    /** New requests are sent while the RNR timer runs; their NAKs for a sequence error use up the retry count. */
    SENDS_DURING_RNR_WAIT,
    /**
     * The send request that fails at this side, for a bad local key or range, an unsupported opcode or a refused bind, is
     * reported as WR_FLUSH_ERR like those behind it; its own status is lost.
     */
    FAILING_SEND_IS_FLUSHED,
    /** A UD send that is longer than the path MTU completes with SUCCESS though nothing is sent. */
    OVERSIZE_DATAGRAM_SUCCEEDS,
    /** A failed send takes a UC or UD queue pair to ERR instead of SQE. */
    NO_SQE,
    /** The M bit of all packets is 0, though the path counts as migrated; adapters send 1, and some drop what says 0. */
    MIGREQ_ZERO,

    // Completer.

    /** An acknowledgement of a PSN that was never sent completes the requests that wait. */
    GHOST_ACK_COMPLETES,
    /** A plain acknowledgement completes a READ or an atomic operation with SUCCESS, without data. */
    ACK_COMPLETES_READ,
    /**
     * A response that makes no sense (a reserved syndrome, the middle of a READ or an atomic acknowledgement for a SEND) ends
     * the queue pair, but the request with status SUCCESS instead of BAD_RESP_ERR.
     */
    BAD_RESPONSE_SUCCEEDS,
    /** A READ response for a request that is no READ has status FATAL_ERR instead of BAD_RESP_ERR. */
    UNEXPECTED_READ_RESPONSE_IS_FATAL,
    /** The completion of every send carries the length of the message, not only those of READs and atomics. */
    SEND_COMPLETION_HAS_LENGTH,
    /** The completion of a send with immediate data has the flag WITH_IMMEDIATE. */
    SEND_COMPLETION_HAS_IMMEDIATE_FLAG,

    // Responder.

    /** A duplicate SEND or WRITE is acknowledged packet by packet, even if it does not ask for it. */
    ACKS_EVERY_DUPLICATE,
    /** A duplicate that arrives before the first request was carried out is acknowledged with PSN 0xFFFFFF. */
    DUPLICATE_ACK_UNINITIALIZED,
    /** A duplicate SEND or WRITE behind which an atomic, an ATOMIC_WRITE or a FLUSH was carried out is acknowledged with the PSN of that. */
    DUPLICATE_ACK_COUNTS_ATOMICS,
    /** A READ that is repeated from its middle on is answered with MIDDLE and LAST, not FIRST or ONLY. */
    REPEATED_READ_CONTINUES,
    /** A READ that was repeated in part can be repeated later only from there on; earlier repetitions are dropped. */
    REPEATED_READ_NARROWS,
    /** A repeated FLUSH is dropped, as the first one is not remembered. */
    REPEATED_FLUSH_DROPPED,
    /**
     * A message that is longer than the receive, and a receive whose memory is not granted, are answered with NAK 0x63 (remote
     * operational error), and the receive completes with LOC_QP_OP_ERR.
     */
    BAD_RECEIVE_IS_OPERATION_ERROR,
    /** An RDMA WRITE with immediate data that is not granted completes its receive with REM_ACCESS_ERR. */
    REFUSED_WRITE_IS_REMOTE_ACCESS_ERROR,
    /** A SEND whose key cannot be invalidated is acknowledged all the same; the receive fails, and the queue pair. */
    FAILED_INVALIDATE_ACKNOWLEDGED,
    /** An invalid request raises no QP_REQ_ERR. */
    NO_REQUEST_ERROR_EVENT,
    /** The completion of a receive has the flag GRH on connected queue pairs, too. */
    GRH_FLAG_ON_CONNECTED,
    /** On UC, a whole message that interrupts another one is dropped along with it. */
    UC_DROPS_INTERRUPTING_MESSAGE,
    /** A datagram that does not fit its receive is dropped and the receive stays first in the queue. */
    SHORT_DATAGRAM_RECEIVE_STAYS,
    /** LAST_WQE_REACHED is raised again whenever the receiving half of a failed queue pair runs. */
    LAST_WQE_REACHED_REPEATS,

    // Verbs.

    /** SQ_DRAINED is raised whether or not it was asked for. */
    SQ_DRAINED_ALWAYS,
    /** The depths of READs and atomics are rounded up to a power of two; a query shows it. */
    READ_DEPTH_ROUNDED,
    /** A path MTU above the port's active MTU is accepted; the packets are lost. */
    PATH_MTU_UNCHECKED,
    /** An address that the caller chooses for a region must have the same offset in its page as the memory. */
    IOVA_KEEPS_PAGE_OFFSET,

    /** A post that leaves more than one request in the send queue does not send itself, but has another thread do it. */
    BATCHES_DEFERRED,

    // Completion queues.

    /** A failed completion does not count as solicited: a queue armed for solicited ones only stays silent. */
    ERRORS_UNSOLICITED,
    /**
     * A completion queue that was full loses the completion and goes on; CQ_ERR is raised for each loss. A queue pair fails
     * only if it lost the completion of a receive.
     */
    CQ_OVERRUN_GOES_ON,
    /** Completions of a queue pair stay in their queues when it is reset or destroyed. */
    STALE_COMPLETIONS_STAY;

    /**
     * Returns this constant's bit in a mask of quirks.
     *
     * @return one bit of 64
     */
    public long mask() {
        return 1L << ordinal();
    }
}
