// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The state of a queue pair ({@code enum ibv_qp_state}, IBTA volume 1, 10.3.1).
 *
 * <p>The usual sequence of states is RESET, INIT, RTR, RTS. An application can post receive requests from INIT on, and send
 * requests from RTS on.
 *
 * @since 1.0
 */
public enum QpState {
    /** The state of a new or reset queue pair, without work requests; all posts are refused with {@link Errno#EINVAL}. */
    RESET(0),
    /** Port, P_Key and access rights are set: receive requests can be posted, and the queue pair drops incoming packets. */
    INIT(1),
    /**
     * Ready to receive: the address vector of the peer is set (RC, UC), the responder executes the peer's requests, and
     * send requests are refused with {@link Errno#EINVAL}.
     */
    RTR(2),
    /** Ready to send: the queue pair sends and receives. */
    RTS(3),
    /**
     * Send queue draining or drained: the queue pair accepts send requests but does not start them; the receive queue
     * works normally.
     */
    SQD(4),
    /**
     * Send queue error: a send of a UC or UD queue pair failed. In SQE, the queue pair flushes all send requests after the
     * failed one, and still receives messages. The application can modify the queue pair from SQE to RTS.
     */
    SQE(5),
    /** Error: all posted requests complete with {@link WorkCompletionStatus#WR_FLUSH_ERR}; the only transition is to RESET. */
    ERR(6);

    private static final CodeTable<QpState> BY_CODE = new CodeTable<>("QP state", values(), QpState::code);

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /** {@return the value of the state in {@code enum ibv_qp_state}, 0..6} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_qp_state}.
     *
     * @param code a value that {@link #code()} returns
     * @return the state
     * @throws IllegalArgumentException if no queue pair state has the value
     */
    public static QpState of(int code) {
        return BY_CODE.of(code);
    }
}
