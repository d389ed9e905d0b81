// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The states of a queue pair ({@code enum ibv_qp_state}; IBTA volume 1, 10.3.1).
 *
 * <p>The usual way is RESET, INIT, RTR, RTS. Receives are taken from INIT on, sends from RTS on.
 *
 * @since 1.0
 */
public enum QpState {
    /** Newly created or reset: holds no work; posting anything is refused with {@link Errno#EINVAL}. */
    RESET(0),
    /** Port, P_Key and access rights are known: receives may be posted, packets are dropped. */
    INIT(1),
    /**
     * Ready to receive: the peer is known; incoming requests are served, sends are refused with {@link Errno#EINVAL}.
     */
    RTR(2),
    /** Ready to send: fully working. */
    RTS(3),
    /** Send queue draining or drained: sends are taken but not begun; the receive side works on. */
    SQD(4),
    /**
     * Send queue error: a send of a UC or UD queue pair failed; later sends are flushed and the receive side keeps
     * working. A modify returns to RTS.
     */
    SQE(5),
    /**
     * Everything posted completes with {@link WorkCompletionStatus#WR_FLUSH_ERR}; only RESET leads out.
     */
    ERR(6);

    private static final CodeTable<QpState> BY_CODE = new CodeTable<>("QP state", values(), QpState::code);

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_qp_state}.
     *
     * @return 0..6
     */
    public int code() {
        return code;
    }

    /**
     * Decodes the number of the user ABI.
     *
     * @param code a number that {@link #code()} returns
     * @return its constant
     * @throws IllegalArgumentException if no constant has it
     */
    public static QpState of(int code) {
        return BY_CODE.of(code);
    }
}
