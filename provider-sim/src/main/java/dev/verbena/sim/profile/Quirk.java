// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.profile;

/**
 * The departures of Linux Soft-RoCE (rdma_rxe of 6.12) from the specification, on the wire, in statuses or in the
 * verbs. Each can be switched on separately. None of them violates memory safety. So two departures of Soft-RoCE are
 * excluded: it does not enforce the bounds of memory windows, and it compares too few protection domains.
 */
public enum Quirk {
    // Requester.

    /** A retry count of 7 means unlimited retries; in the specification this holds only for RNR retries. */
    RETRIES_FOR_EVER,
    /** New requests are sent while the RNR timer runs; their NAKs for a sequence error use up the retry count. */
    SENDS_DURING_RNR_WAIT,
    /**
     * The send request that fails at this side is reported as WR_FLUSH_ERR like the requests after it; its own status
     * is lost. Such failures are a bad local key or range, an unsupported opcode and a refused bind.
     */
    FAILING_SEND_IS_FLUSHED,
    /** A UD send that is longer than the path MTU completes with SUCCESS although no packet is sent. */
    OVERSIZE_DATAGRAM_SUCCEEDS,
    /** A failed send takes a UC or UD queue pair to ERR instead of SQE. */
    NO_SQE,
    /**
     * The M bit of all packets is 0, although the path counts as migrated; adapters send 1, and some drop packets with
     * 0.
     */
    MIGREQ_ZERO,

    // Completer.

    /** An acknowledgement of a PSN that was never sent completes all outstanding requests. */
    GHOST_ACK_COMPLETES,
    /** A plain acknowledgement completes a READ or an atomic operation with SUCCESS, without data. */
    ACK_COMPLETES_READ,
    /**
     * An invalid response makes the queue pair fail, but the request completes with SUCCESS instead of BAD_RESP_ERR.
     * Such responses are a reserved syndrome, and the middle of a READ or an atomic acknowledgement for a SEND.
     */
    BAD_RESPONSE_SUCCEEDS,
    /** A READ response for a request other than a READ has status FATAL_ERR instead of BAD_RESP_ERR. */
    UNEXPECTED_READ_RESPONSE_IS_FATAL,
    /** The completion of every send carries the length of the message, not only those of READs and atomics. */
    SEND_COMPLETION_HAS_LENGTH,
    /** The completion of a send with immediate data has the flag WITH_IMMEDIATE. */
    SEND_COMPLETION_HAS_IMMEDIATE_FLAG,

    // Responder.

    /** Each packet of a duplicate SEND or WRITE is acknowledged, even if it does not request it. */
    ACKS_EVERY_DUPLICATE,
    /** A duplicate that arrives before the first request was executed is acknowledged with PSN 0xFFFFFF. */
    DUPLICATE_ACK_UNINITIALIZED,
    /**
     * A duplicate SEND or WRITE is acknowledged with the PSN of a later atomic, ATOMIC_WRITE or FLUSH if one was
     * executed.
     */
    DUPLICATE_ACK_COUNTS_ATOMICS,
    /** A READ that is repeated from its middle is answered with MIDDLE and LAST, not FIRST or ONLY. */
    REPEATED_READ_CONTINUES,
    /**
     * A READ that was repeated in part can afterwards be repeated only from there on; earlier repetitions are dropped.
     */
    REPEATED_READ_NARROWS,
    /** A repeated FLUSH is dropped, because the first one is not remembered. */
    REPEATED_FLUSH_DROPPED,
    /**
     * A message longer than the receive is answered with NAK 0x63 (remote operational error), and the receive completes
     * with LOC_QP_OP_ERR. The same happens if the receive's memory is not granted.
     */
    BAD_RECEIVE_IS_OPERATION_ERROR,
    /** An RDMA WRITE with immediate data that fails its access check completes its receive with REM_ACCESS_ERR. */
    REFUSED_WRITE_IS_REMOTE_ACCESS_ERROR,
    /**
     * A SEND with a key that cannot be invalidated is acknowledged nevertheless; the receive and the queue pair fail.
     */
    FAILED_INVALIDATE_ACKNOWLEDGED,
    /** An invalid request raises no QP_REQ_ERR. */
    NO_REQUEST_ERROR_EVENT,
    /** The completion of a receive has the flag GRH on connected queue pairs, too. */
    GRH_FLAG_ON_CONNECTED,
    /** On UC, a complete message that interrupts another one is dropped along with it. */
    UC_DROPS_INTERRUPTING_MESSAGE,
    /** A datagram that does not fit its receive is dropped, and the receive stays first in the queue. */
    SHORT_DATAGRAM_RECEIVE_STAYS,
    /** LAST_WQE_REACHED is raised again whenever the receive task of a failed queue pair runs. */
    LAST_WQE_REACHED_REPEATS,

    // Verbs.

    /** SQ_DRAINED is raised even if the transition did not request it. */
    SQ_DRAINED_ALWAYS,
    /** The depths of READs and atomics are rounded up to a power of two, as a query shows. */
    READ_DEPTH_ROUNDED,
    /** A path MTU above the port's active MTU is accepted; the packets are dropped. */
    PATH_MTU_UNCHECKED,
    /** An address that the caller chooses for a region must have the same offset in its page as the memory. */
    IOVA_KEEPS_PAGE_OFFSET,

    /**
     * A post that leaves more than one request in the send queue does not send in the poster's thread, but in another
     * one.
     */
    BATCHES_DEFERRED,

    // Completion queues.

    /**
     * A failed completion does not count as solicited: a queue armed only for solicited completions is not notified.
     */
    ERRORS_UNSOLICITED,
    /**
     * A full completion queue loses the completion and continues; CQ_ERR is raised for each loss. A queue pair fails
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
