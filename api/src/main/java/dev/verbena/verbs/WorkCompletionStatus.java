// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;

/**
 * How a work request ended ({@code enum ibv_wc_status}, {@code ibv_poll_cq}(3); IBTA volume 1, 10.10.3). Each constant
 * documents its usual causes.
 *
 * <p>After the first failure of a queue pair the rest is {@link #WR_FLUSH_ERR}, so the first one is the one to read.
 *
 * @since 1.0
 */
public enum WorkCompletionStatus {
    /**
     * The work request succeeded. The only status with which the other fields of a completion mean anything besides
     * wr_id and QP number.
     */
    SUCCESS(0, "IBV_WC_SUCCESS", "success"),
    /**
     * A message does not fit. Receiver: the peer sent more than the posted receive buffer holds, or a UD receive lacks
     * the 40 bytes for the global route header. Sender: longer than the port carries, or longer than one MTU on UD.
     */
    LOC_LEN_ERR(1, "IBV_WC_LOC_LEN_ERR", "local length error"),
    /**
     * The queue pair could not make sense of the work request: an opcode that its type does not have, too many
     * scatter-gather entries, a broken address handle. Kernel Soft-RoCE reports an overlong message and a bad receive
     * key so, too.
     */
    LOC_QP_OP_ERR(2, "IBV_WC_LOC_QP_OP_ERR", "local queue pair operation error"),
    /** Reliable datagram only, which no device has. */
    LOC_EEC_OP_ERR(3, "IBV_WC_LOC_EEC_OP_ERR", "local end-to-end context operation error"),
    /**
     * A scatter-gather entry lies outside its region, the region is gone or of another protection domain, or it lacks
     * {@link AccessFlag#LOCAL_WRITE} for a receive, a READ or an atomic.
     */
    LOC_PROT_ERR(4, "IBV_WC_LOC_PROT_ERR", "local protection error"),
    /**
     * The queue pair was in the error state when the request's turn came, so the request was not executed. This status
     * is a consequence: look for the first failed completion of this queue pair, or for a disconnect.
     */
    WR_FLUSH_ERR(5, "IBV_WC_WR_FLUSH_ERR", "work request flushed"),
    /**
     * Binding was refused: the region lacks {@link AccessFlag#MW_BIND}, the rights go beyond the region's, the range
     * lies outside, or the domains differ.
     */
    MW_BIND_ERR(6, "IBV_WC_MW_BIND_ERR", "memory window bind error"),
    /**
     * The peer answered with a packet that matches no outstanding request. Causes: stale packets after a fast reconnect
     * with the same numbers, differing path MTUs, or a fault of the peer.
     */
    BAD_RESP_ERR(7, "IBV_WC_BAD_RESP_ERR", "bad response"),
    /** The peer's RDMA WRITE with immediate data broke this side's rules of protection. */
    LOC_ACCESS_ERR(8, "IBV_WC_LOC_ACCESS_ERR", "local access error"),
    /**
     * The peer found the request illegal: longer than its receive buffer, an operation its queue pair does not allow,
     * too many READs or atomics at once, a misaligned atomic. Kernel Soft-RoCE answers REM_OP_ERR to the
     * first.
     */
    REM_INV_REQ_ERR(9, "IBV_WC_REM_INV_REQ_ERR", "remote invalid request"),
    /**
     * The peer protects the memory: wrong or stale remote key, range outside the region, missing right on the region
     * or on the peer's queue pair, another protection domain.
     */
    REM_ACCESS_ERR(10, "IBV_WC_REM_ACCESS_ERR", "remote access error"),
    /**
     * The peer failed on its own account, often because its receive buffer has a bad key. Its own completion has the
     * cause.
     */
    REM_OP_ERR(11, "IBV_WC_REM_OP_ERR", "remote operation error"),
    /**
     * The peer never acknowledged. Peer gone or its queue pair not in RTR, wrong GID index, QP number or PSN, path MTU
     * above the network's maximum, UDP port 4791 blocked, heavy loss with too short an {@link AckTimeout}.
     */
    RETRY_EXC_ERR(12, "IBV_WC_RETRY_EXC_ERR", "transport retry count exceeded"),
    /**
     * The peer had no receive posted all the while. Post receives before the sender starts, more of them, or raise
     * {@link RnrRetryCount} and the peer's {@link RnrTimer}.
     */
    RNR_RETRY_EXC_ERR(13, "IBV_WC_RNR_RETRY_EXC_ERR", "receiver-not-ready retry count exceeded"),
    /** Reliable datagram only, which no device has. */
    LOC_RDD_VIOL_ERR(14, "IBV_WC_LOC_RDD_VIOL_ERR", "local reliable datagram domain violation"),
    /** Reliable datagram only, which no device has. */
    REM_INV_RD_REQ_ERR(15, "IBV_WC_REM_INV_RD_REQ_ERR", "remote invalid reliable datagram request"),
    /** The operation was aborted: the peer entered the error state, or a shared resource of the peer failed. */
    REM_ABORT_ERR(16, "IBV_WC_REM_ABORT_ERR", "remote aborted"),
    /** Reliable datagram only, which no device has. */
    INV_EECN_ERR(17, "IBV_WC_INV_EECN_ERR", "invalid end-to-end context number"),
    /** Reliable datagram only, which no device has. */
    INV_EEC_STATE_ERR(18, "IBV_WC_INV_EEC_STATE_ERR", "invalid end-to-end context state"),
    /**
     * The transport failed in a way it cannot recover from. Kernel Soft-RoCE: a READ response to a request that was not
     * a READ.
     */
    FATAL_ERR(19, "IBV_WC_FATAL_ERR", "fatal error"),
    /** A management request got no answer in time. */
    RESP_TIMEOUT_ERR(20, "IBV_WC_RESP_TIMEOUT_ERR", "response timeout"),
    /** None of the above; the vendor can interpret the vendor error code. */
    GENERAL_ERR(21, "IBV_WC_GENERAL_ERR", "general error"),
    /** A tag-matching operation failed. Mellanox hardware only. */
    TM_ERR(22, "IBV_WC_TM_ERR", "tag matching error"),
    /** A matched rendezvous has to be finished by software. Mellanox hardware only. */
    TM_RNDV_INCOMPLETE(23, "IBV_WC_TM_RNDV_INCOMPLETE", "tag matching rendezvous incomplete"),
    /** A status that this release does not know: the request failed, and {@link WorkCompletion#statusCode()} has the number. */
    UNKNOWN(-1, "none", "a status that this release does not know");

    private static final CodeTable<WorkCompletionStatus> BY_CODE =
            new CodeTable<>("completion status", values(), WorkCompletionStatus::code);

    private final int code;
    private final String verbsName;
    private final String description;

    WorkCompletionStatus(int code, String verbsName, String description) {
        this.code = code;
        this.verbsName = verbsName;
        this.description = description;
    }

    /**
     * Returns whether the work request succeeded.
     *
     * @return whether this is {@link #SUCCESS}
     */
    public boolean isSuccess() {
        return this == SUCCESS;
    }

    /**
     * The number of {@code enum ibv_wc_status}.
     *
     * @return 0..23, -1 for {@link #UNKNOWN}
     */
    public int code() {
        return code;
    }

    /**
     * The name in {@code verbs.h}, to search manuals and mailing lists for.
     *
     * @return for example {@code IBV_WC_WR_FLUSH_ERR}; {@code none} for {@link #UNKNOWN}
     */
    public String verbsName() {
        return verbsName;
    }

    /**
     * Describes the status in words.
     *
     * @return a few words in lower case
     */
    public String description() {
        return description;
    }

    /**
     * Returns the usual causes of the status, with their cures.
     *
     * @return the likeliest first; none for SUCCESS
     */
    public List<Suspect> suspects() {
        return Suspects.of(this);
    }

    /**
     * Decodes the number of the user ABI; allocates nothing.
     *
     * @param code any number
     * @return its constant, {@link #UNKNOWN} if this release has none
     */
    public static WorkCompletionStatus of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
