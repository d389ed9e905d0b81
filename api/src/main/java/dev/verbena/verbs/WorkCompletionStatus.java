// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;

/**
 * The status of a work completion ({@code enum ibv_wc_status}, {@code ibv_poll_cq}(3), IBTA volume 1, 10.10.3). The Javadoc
 * of each status lists its usual causes.
 *
 * <p>After the first failure of a queue pair all further completions have {@link #WR_FLUSH_ERR}, so only the first failed
 * completion shows the cause.
 *
 * @since 1.0
 */
public enum WorkCompletionStatus {
    /** The work request succeeded. If a work request fails, some fields of the {@link WorkCompletion} are undefined. */
    SUCCESS(0, "IBV_WC_SUCCESS", "success"),
    /**
     * A message is too long. A receive fails if the message exceeds the receive buffer, or if a UD receive lacks the 40
     * bytes for the global route header. A send fails if the message exceeds the port's maximum, or one MTU on UD.
     */
    LOC_LEN_ERR(1, "IBV_WC_LOC_LEN_ERR", "local length error"),
    /**
     * The queue pair could not execute the work request. Causes: the type of the queue pair does not support the opcode,
     * the request has too many scatter/gather entries, or the address handle is invalid. Kernel Soft-RoCE also reports an
     * overlong message and an invalid receive key by LOC_QP_OP_ERR.
     */
    LOC_QP_OP_ERR(2, "IBV_WC_LOC_QP_OP_ERR", "local queue pair operation error"),
    /** A status of the reliable datagram service. No device supports this service. */
    LOC_EEC_OP_ERR(3, "IBV_WC_LOC_EEC_OP_ERR", "local end-to-end context operation error"),
    /**
     * A scatter/gather entry is outside of its region, or the region is closed or belongs to another protection domain.
     * A receive, READ or atomic also gets LOC_PROT_ERR for a region without {@link AccessFlag#LOCAL_WRITE}.
     */
    LOC_PROT_ERR(4, "IBV_WC_LOC_PROT_ERR", "local protection error"),
    /**
     * The request was not executed, because the queue pair had already entered the error state. The cause of the flush is
     * the first failed completion of the queue pair, or a disconnect.
     */
    WR_FLUSH_ERR(5, "IBV_WC_WR_FLUSH_ERR", "work request flushed"),
    /**
     * A memory window bind failed. Causes: the region lacks {@link AccessFlag#MW_BIND} or some of the window's access
     * rights, the range is outside of the region, or the protection domains differ.
     */
    MW_BIND_ERR(6, "IBV_WC_MW_BIND_ERR", "memory window bind error"),
    /**
     * The peer sent a packet that matches no outstanding request. Possible causes are different path MTUs, a faulty peer,
     * or a delayed packet of an earlier connection with the same QPNs and PSNs.
     */
    BAD_RESP_ERR(7, "IBV_WC_BAD_RESP_ERR", "bad response"),
    /** The peer's RDMA WRITE with immediate data violated the local memory protection. */
    LOC_ACCESS_ERR(8, "IBV_WC_LOC_ACCESS_ERR", "local access error"),
    /**
     * The peer refused the request as invalid. Causes: a message longer than the receive buffer, an opcode that the peer's
     * queue pair does not allow, too many outstanding READs and atomics, or a misaligned atomic. Kernel Soft-RoCE reports
     * REM_OP_ERR for a message that is too long.
     */
    REM_INV_REQ_ERR(9, "IBV_WC_REM_INV_REQ_ERR", "remote invalid request"),
    /**
     * The peer denied access to its memory. Causes: the R_Key is wrong or invalidated, the range exceeds the region, the
     * region lacks an access right, or the protection domains differ. An access right that the peer's queue pair lacks
     * causes {@link #REM_INV_REQ_ERR} on Soft-RoCE and the software device.
     */
    REM_ACCESS_ERR(10, "IBV_WC_REM_ACCESS_ERR", "remote access error"),
    /**
     * The peer could not execute the request, often because its receive buffer has an invalid key. The status of
     * the peer's own completion shows the cause.
     */
    REM_OP_ERR(11, "IBV_WC_REM_OP_ERR", "remote operation error"),
    /**
     * The peer never acknowledged. Causes: the peer does not run; the peer's queue pair is not in RTR; the GID index,
     * QP number or PSN is wrong; the path MTU exceeds the network's maximum; UDP port 4791 is blocked; or packet loss
     * is heavy and the {@link AckTimeout} too short.
     */
    RETRY_EXC_ERR(12, "IBV_WC_RETRY_EXC_ERR", "transport retry count exceeded"),
    /**
     * The peer had no posted receive for the message or for any of its retransmissions. Remedies: post receives before the
     * sender starts, post more receives, or raise {@link RnrRetryCount} and the peer's {@link RnrTimer}.
     */
    RNR_RETRY_EXC_ERR(13, "IBV_WC_RNR_RETRY_EXC_ERR", "receiver-not-ready retry count exceeded"),
    /** A status of the reliable datagram service. No device supports this service. */
    LOC_RDD_VIOL_ERR(14, "IBV_WC_LOC_RDD_VIOL_ERR", "local reliable datagram domain violation"),
    /** A status of the reliable datagram service. No device supports this service. */
    REM_INV_RD_REQ_ERR(15, "IBV_WC_REM_INV_RD_REQ_ERR", "remote invalid reliable datagram request"),
    /** The operation was aborted: the peer entered the error state, or a shared resource of the peer failed. */
    REM_ABORT_ERR(16, "IBV_WC_REM_ABORT_ERR", "remote aborted"),
    /** A status of the reliable datagram service. No device supports this service. */
    INV_EECN_ERR(17, "IBV_WC_INV_EECN_ERR", "invalid end-to-end context number"),
    /** A status of the reliable datagram service. No device supports this service. */
    INV_EEC_STATE_ERR(18, "IBV_WC_INV_EEC_STATE_ERR", "invalid end-to-end context state"),
    /**
     * The transport failed and cannot recover. Kernel Soft-RoCE reports FATAL_ERR for a READ response to a request that was not a
     * READ.
     */
    FATAL_ERR(19, "IBV_WC_FATAL_ERR", "fatal error"),
    /** A management request got no response in time. */
    RESP_TIMEOUT_ERR(20, "IBV_WC_RESP_TIMEOUT_ERR", "response timeout"),
    /** A failure that no other status describes. The vendor can interpret the vendor error code. */
    GENERAL_ERR(21, "IBV_WC_GENERAL_ERR", "general error"),
    /** A tag-matching operation failed. Mellanox hardware only. */
    TM_ERR(22, "IBV_WC_TM_ERR", "tag matching error"),
    /** A rendezvous message matched a tag, and software must finish its transfer. Mellanox hardware only. */
    TM_RNDV_INCOMPLETE(23, "IBV_WC_TM_RNDV_INCOMPLETE", "tag matching rendezvous incomplete"),
    /**
     * A status that Verbena does not know: the request failed, and {@link WorkCompletion#statusCode()} returns the value.
     */
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

    /** {@return whether this is {@link #SUCCESS}} */
    public boolean isSuccess() {
        return this == SUCCESS;
    }

    /** {@return the value of the status in {@code enum ibv_wc_status}, 0..23, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * {@return the name in {@code verbs.h}, such as {@code IBV_WC_WR_FLUSH_ERR}, for searches in manuals and mailing
     * lists; {@code none} for {@link #UNKNOWN}}
     */
    public String verbsName() {
        return verbsName;
    }

    /** {@return the status in words, in lower case} */
    public String description() {
        return description;
    }

    /** {@return the usual causes of the status, most likely cause first, each with its remedy; empty for SUCCESS} */
    public List<Suspect> suspects() {
        return Suspects.of(this);
    }

    /**
     * Decodes a numeric value of {@code enum ibv_wc_status}; allocates nothing.
     *
     * @param code any value
     * @return the status, {@link #UNKNOWN} if no constant has the value
     */
    public static WorkCompletionStatus of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
