// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The operation of a successful completion ({@code enum ibv_wc_opcode}, {@code ibv_poll_cq}(3)).
 *
 * <p>Defined when the status is {@link WorkCompletionStatus#SUCCESS} only; never branch on it for a failed completion.
 *
 * @since 1.0
 */
public enum WorkCompletionOpcode {
    /** A SEND, with or without immediate data or invalidation, was acknowledged (RC) or sent (UC, UD). */
    SEND(0),
    /** An RDMA WRITE, with or without immediate data. */
    RDMA_WRITE(1),
    /** An RDMA READ: the data has landed in local memory. */
    RDMA_READ(2),
    /** An atomic compare and swap: the value found before has landed in local memory. */
    COMP_SWAP(3),
    /** An atomic fetch and add: the value found before has landed in local memory. */
    FETCH_ADD(4),
    /** A memory window was bound. */
    BIND_MW(5),
    /** A key of this side was invalidated. */
    LOCAL_INV(6),
    /** Earlier writes have reached the requested placement. */
    FLUSH(8),
    /** Eight bytes were written at once. */
    ATOMIC_WRITE(9),
    /** A fast registration. Kernel verbs only know it; libibverbs has no number for it and 10 is this library's. */
    REG_MR(10),
    /** A SEND arrived in the receive buffer. */
    RECV(128),
    /**
     * An RDMA WRITE with immediate data arrived: it consumed the receive request, but its data is at the address that
     * the writer chose.
     */
    RECV_RDMA_WITH_IMM(129),
    /** An operation that this release does not know; {@link WorkCompletion#opcodeCode()} has the number. */
    UNKNOWN(-1);

    private static final CodeTable<WorkCompletionOpcode> BY_CODE =
            new CodeTable<>("completion opcode", values(), WorkCompletionOpcode::code);

    private final int code;

    WorkCompletionOpcode(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_wc_opcode}.
     *
     * @return 0..10 for sends, 128 and 129 for receives, -1 for {@link #UNKNOWN}
     */
    public int code() {
        return code;
    }

    /**
     * Decodes the number of the user ABI.
     *
     * @param code any number
     * @return its constant, {@link #UNKNOWN} if this release has none
     */
    public static WorkCompletionOpcode of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }

    /**
     * Distinguishes the receive side from the send side.
     *
     * @return whether a receive work request completed; false for {@link #UNKNOWN}, see
     *     {@link WorkCompletion#isReceive()}
     */
    public boolean isReceive() {
        return this != UNKNOWN && (code & RECV.code) != 0;
    }
}
