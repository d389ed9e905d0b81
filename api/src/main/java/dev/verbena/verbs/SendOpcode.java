// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The operation of a send work request ({@code enum ibv_wr_opcode}, {@code ibv_post_send}(3); {@link #REG_MR} has the
 * kernel's number).
 *
 * @since 1.0
 */
public enum SendOpcode {
    /** Writes to remote memory without notifying the peer's program. */
    RDMA_WRITE(0, WorkCompletionOpcode.RDMA_WRITE),
    /** Writes to remote memory, then consumes a receive there; the receive's completion carries four bytes. */
    RDMA_WRITE_WITH_IMM(1, WorkCompletionOpcode.RDMA_WRITE),
    /** Fills a posted receive of the peer. */
    SEND(2, WorkCompletionOpcode.SEND),
    /** Fills a posted receive; the receive's completion carries four bytes. */
    SEND_WITH_IMM(3, WorkCompletionOpcode.SEND),
    /** Reads remote memory. */
    RDMA_READ(4, WorkCompletionOpcode.RDMA_READ),
    /** Swaps eight remote bytes if they equal a value; returns the former bytes. */
    ATOMIC_CMP_AND_SWP(5, WorkCompletionOpcode.COMP_SWAP),
    /** Adds to eight remote bytes; returns the former bytes. */
    ATOMIC_FETCH_AND_ADD(6, WorkCompletionOpcode.FETCH_ADD),
    /** Makes a key of this side unusable. */
    LOCAL_INV(7, WorkCompletionOpcode.LOCAL_INV),
    /** Binds a type 2 memory window. */
    BIND_MW(8, WorkCompletionOpcode.BIND_MW),
    /** Fills a posted receive and makes a key of the peer unusable. */
    SEND_WITH_INV(9, WorkCompletionOpcode.SEND),
    /** Waits until earlier writes are visible or persistent at the peer. */
    FLUSH(14, WorkCompletionOpcode.FLUSH),
    /** Writes eight bytes to remote memory at once. */
    ATOMIC_WRITE(15, WorkCompletionOpcode.ATOMIC_WRITE),
    /** Registers memory in the order of the queue; kernel verbs only. */
    REG_MR(32, WorkCompletionOpcode.REG_MR);

    private static final CodeTable<SendOpcode> BY_CODE = new CodeTable<>("send opcode", values(), SendOpcode::code);

    private final int code;
    private final WorkCompletionOpcode completionOpcode;

    SendOpcode(int code, WorkCompletionOpcode completionOpcode) {
        this.code = code;
        this.completionOpcode = completionOpcode;
    }

    /**
     * The number of {@code enum ibv_wr_opcode}.
     *
     * @return 0..15, 32 for {@link #REG_MR}
     */
    public int code() {
        return code;
    }

    /**
     * The opcode of the completion on this side.
     *
     * @return the operation in a successful completion of such a request
     */
    public WorkCompletionOpcode completionOpcode() {
        return completionOpcode;
    }

    /**
     * Returns whether this is a SEND of any kind.
     *
     * @return whether the payload fills a receive of the peer
     */
    public boolean isSend() {
        return completionOpcode == WorkCompletionOpcode.SEND;
    }

    /**
     * Returns whether this is an RDMA WRITE of any kind; {@link #ATOMIC_WRITE} is not.
     *
     * @return whether the payload is written to remote memory
     */
    public boolean isRdmaWrite() {
        return completionOpcode == WorkCompletionOpcode.RDMA_WRITE;
    }

    /**
     * Returns whether this reads, changes and returns eight remote bytes; {@link #ATOMIC_WRITE} returns nothing and does
     * not count.
     *
     * @return whether it is compare-and-swap or fetch-and-add
     */
    public boolean isAtomic() {
        return this == ATOMIC_CMP_AND_SWP || this == ATOMIC_FETCH_AND_ADD;
    }

    /**
     * Returns whether the request carries four bytes for the peer's completion.
     *
     * @return whether there is immediate data
     */
    public boolean hasImmediate() {
        return this == SEND_WITH_IMM || this == RDMA_WRITE_WITH_IMM;
    }

    /**
     * Returns whether the request is done without a packet.
     *
     * @return whether it concerns keys and windows of this side only
     */
    public boolean isLocal() {
        return this == LOCAL_INV || this == BIND_MW || this == REG_MR;
    }

    /**
     * Returns whether the request names memory of the peer.
     *
     * @return whether remote address and remote key are needed
     */
    public boolean hasRemoteAddress() {
        return !isSend() && !isLocal();
    }

    /**
     * Returns whether the operation needs a posted receive at the peer. Only with these operations does
     * {@link SendFlag#SOLICITED} have an effect.
     *
     * @return whether a receive of the peer is consumed
     */
    public boolean consumesReceive() {
        return isSend() || this == RDMA_WRITE_WITH_IMM;
    }

    /**
     * Returns whether {@link SendFlag#INLINE} is allowed.
     *
     * @return whether the request sends payload that can be copied when posting
     */
    public boolean allowsInline() {
        return isSend() || isRdmaWrite();
    }

    /**
     * Returns whether queue pairs of a type accept this opcode; posting another is refused with {@link Errno#EINVAL}.
     *
     * @param type the type of the queue pair
     * @return whether the transport defines it
     */
    public boolean supportedOn(QpType type) {
        return switch (type) {
            case RC -> true;
            case UC -> isRdmaWrite() || this == SEND || this == SEND_WITH_IMM || this == BIND_MW;
            case UD -> this == SEND || this == SEND_WITH_IMM;
        };
    }

    /**
     * Decodes the number of the user ABI; allocates nothing.
     *
     * @param code a number that {@link #code()} returns
     * @return its constant
     * @throws IllegalArgumentException if no constant has it
     */
    public static SendOpcode of(int code) {
        return BY_CODE.of(code);
    }
}
