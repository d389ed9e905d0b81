// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The opcode of a send work request ({@code enum ibv_wr_opcode}, {@code ibv_post_send}(3); {@link #REG_MR} has the kernel's
 * value).
 *
 * @since 1.0
 */
public enum SendOpcode {
    /** Writes to remote memory without notifying the peer's program. */
    RDMA_WRITE(0, WorkCompletionOpcode.RDMA_WRITE),
    /**
     * Writes to remote memory, then consumes a receive of the peer. The receive completion reports four bytes of
     * immediate data.
     */
    RDMA_WRITE_WITH_IMM(1, WorkCompletionOpcode.RDMA_WRITE),
    /** Sends a message, which consumes a posted receive of the peer. */
    SEND(2, WorkCompletionOpcode.SEND),
    /** Consumes a posted receive of the peer. The receive completion reports four bytes of immediate data. */
    SEND_WITH_IMM(3, WorkCompletionOpcode.SEND),
    /** Reads remote memory. */
    RDMA_READ(4, WorkCompletionOpcode.RDMA_READ),
    /** Replaces eight bytes of remote memory if they equal a value, and returns the former bytes. */
    ATOMIC_CMP_AND_SWP(5, WorkCompletionOpcode.COMP_SWAP),
    /** Adds to eight bytes of remote memory, and returns the former bytes. */
    ATOMIC_FETCH_AND_ADD(6, WorkCompletionOpcode.FETCH_ADD),
    /** Invalidates a local memory key. */
    LOCAL_INV(7, WorkCompletionOpcode.LOCAL_INV),
    /** Binds a type 2 memory window. */
    BIND_MW(8, WorkCompletionOpcode.BIND_MW),
    /** Consumes a posted receive of the peer and invalidates an R_Key of the peer. */
    SEND_WITH_INV(9, WorkCompletionOpcode.SEND),
    /** Completes after earlier writes to the peer's memory have become visible or persistent. */
    FLUSH(14, WorkCompletionOpcode.FLUSH),
    /** Writes eight bytes to remote memory atomically. */
    ATOMIC_WRITE(15, WorkCompletionOpcode.ATOMIC_WRITE),
    /** Registers memory when all earlier requests of the send queue have been executed; only for kernel verbs. */
    REG_MR(32, WorkCompletionOpcode.REG_MR);

    private static final CodeTable<SendOpcode> BY_CODE = new CodeTable<>("send opcode", values(), SendOpcode::code);

    private final int code;
    private final WorkCompletionOpcode completionOpcode;

    SendOpcode(int code, WorkCompletionOpcode completionOpcode) {
        this.code = code;
        this.completionOpcode = completionOpcode;
    }

    /** {@return the value of the opcode in {@code enum ibv_wr_opcode}, 0..15, or 32 for {@link #REG_MR}} */
    public int code() {
        return code;
    }

    /** {@return the completion opcode of a successful request that has this send opcode} */
    public WorkCompletionOpcode completionOpcode() {
        return completionOpcode;
    }

    /** {@return whether this opcode is a SEND of any type; a SEND consumes a posted receive of the peer} */
    public boolean isSend() {
        return completionOpcode == WorkCompletionOpcode.SEND;
    }

    /** {@return whether this opcode is an RDMA WRITE with or without immediate data; false for {@link #ATOMIC_WRITE}} */
    public boolean isRdmaWrite() {
        return completionOpcode == WorkCompletionOpcode.RDMA_WRITE;
    }

    /** {@return whether this opcode is compare-and-swap or fetch-and-add; false for {@link #ATOMIC_WRITE}} */
    public boolean isAtomic() {
        return this == ATOMIC_CMP_AND_SWP || this == ATOMIC_FETCH_AND_ADD;
    }

    /** {@return whether the request has immediate data, four bytes for the completion of the peer's receive} */
    public boolean hasImmediate() {
        return this == SEND_WITH_IMM || this == RDMA_WRITE_WITH_IMM;
    }

    /** {@return whether the request affects only local keys and windows, so that the device sends no packet} */
    public boolean isLocal() {
        return this == LOCAL_INV || this == BIND_MW || this == REG_MR;
    }

    /** {@return whether the request needs a remote address and a remote key} */
    public boolean hasRemoteAddress() {
        return !isSend() && !isLocal();
    }

    /**
     * {@return whether the operation consumes a posted receive of the peer; only such an operation can have
     * {@link SendFlag#SOLICITED}}
     */
    public boolean consumesReceive() {
        return isSend() || this == RDMA_WRITE_WITH_IMM;
    }

    /** {@return whether the request may have {@link SendFlag#INLINE}, which copies the payload during the post} */
    public boolean allowsInline() {
        return isSend() || isRdmaWrite();
    }

    /**
     * Returns whether queue pairs of a type support this opcode; other queue pairs refuse the opcode with {@link
     * Errno#EINVAL}.
     *
     * @param type the type of the queue pair
     * @return whether the transport service {@code type} defines the operation
     */
    public boolean supportedOn(QpType type) {
        return switch (type) {
            case RC -> true;
            case UC -> isRdmaWrite() || this == SEND || this == SEND_WITH_IMM || this == BIND_MW;
            case UD -> this == SEND || this == SEND_WITH_IMM;
        };
    }

    /**
     * Decodes a numeric value of {@code enum ibv_wr_opcode}; allocates nothing.
     *
     * @param code a value that {@link #code()} returns
     * @return the opcode
     * @throws IllegalArgumentException if no send opcode has the value
     */
    public static SendOpcode of(int code) {
        return BY_CODE.of(code);
    }
}
