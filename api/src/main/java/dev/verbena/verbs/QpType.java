// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The transport service of a queue pair ({@code enum ibv_qp_type}; IBTA volume 1, 9.7 and 9.8).
 *
 * <p>A device need not have all of them: check {@link Capability#RC}, {@link Capability#UC}, {@link Capability#UD}.
 *
 * @since 1.0
 */
public enum QpType {
    /**
     * Reliable connection: every message arrives exactly once and in order, or the sender gets a completion with the
     * reason.
     */
    RC(2),
    /**
     * Unreliable connection: one peer, SEND and RDMA WRITE only; a message that loses a packet is dropped, and no
     * completion at either end reports it.
     */
    UC(3),
    /**
     * Unreliable datagram: one packet a message, any peer by address handle, multicast; receives need 40 bytes more
     * for the global route header.
     */
    UD(4);

    private static final CodeTable<QpType> BY_CODE = new CodeTable<>("QP type", values(), QpType::code);

    private final int code;

    QpType(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_qp_type}.
     *
     * @return 2..4
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
    public static QpType of(int code) {
        return BY_CODE.of(code);
    }
}
