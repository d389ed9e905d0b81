// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The operation of a successful completion ({@code enum ibv_wc_opcode}, {@code ibv_poll_cq}(3)).
 *
 * <p>The operation is defined only if the status is {@link WorkCompletionStatus#SUCCESS}; a program must not use it for a failed
 * completion.
 *
 * @since 1.0
 */
public enum WorkCompletionOpcode {
    /** A SEND, with or without immediate data or invalidation, was acknowledged (RC) or sent (UC, UD). */
    SEND(0),
    /** An RDMA WRITE, with or without immediate data. */
    RDMA_WRITE(1),
    /** An RDMA READ completed, and its data is in local memory. */
    RDMA_READ(2),
    /** An atomic compare-and-swap completed, and the former value is in local memory. */
    COMP_SWAP(3),
    /** An atomic fetch-and-add completed, and the former value is in local memory. */
    FETCH_ADD(4),
    /** A memory window was bound. */
    BIND_MW(5),
    /** A local memory key was invalidated. */
    LOCAL_INV(6),
    /** A FLUSH completed: earlier writes have reached the requested placement. */
    FLUSH(8),
    /** Eight bytes were written atomically. */
    ATOMIC_WRITE(9),
    /** A REG_MR of kernel verbs completed. This library defines the opcode 10, which libibverbs does not use. */
    REG_MR(10),
    /** A SEND arrived in the receive buffer. */
    RECV(128),
    /** An RDMA WRITE with immediate data consumed the receive. The data is at the address that the RDMA WRITE specifies. */
    RECV_RDMA_WITH_IMM(129),
    /** A completion opcode without a constant here; {@link WorkCompletion#opcodeCode()} returns its numeric value. */
    UNKNOWN(-1);

    private static final CodeTable<WorkCompletionOpcode> BY_CODE =
            new CodeTable<>("completion opcode", values(), WorkCompletionOpcode::code);

    private final int code;

    WorkCompletionOpcode(int code) {
        this.code = code;
    }

    /**
     * {@return the value of the opcode in {@code enum ibv_wc_opcode}: 0..10 for sends, 128 and 129 for receives, -1 for
     * {@link #UNKNOWN}}
     */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_wc_opcode}.
     *
     * @param code any value
     * @return the opcode, {@link #UNKNOWN} if no constant has the value
     */
    public static WorkCompletionOpcode of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }

    /** {@return whether a receive request completed; false for {@link #UNKNOWN}, see {@link WorkCompletion#isReceive()}} */
    public boolean isReceive() {
        return this != UNKNOWN && (code & RECV.code) != 0;
    }
}
