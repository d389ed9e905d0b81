// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The transport service of a queue pair ({@code enum ibv_qp_type}, IBTA volume 1, 9.7 and 9.8).
 *
 * <p>A device may lack some types, as {@link Capability#RC}, {@link Capability#UC} and {@link Capability#UD} show.
 *
 * @since 1.0
 */
public enum QpType {
    /**
     * Reliable connection: every message arrives exactly once and in order, or the sender gets a completion with the reason.
     */
    RC(2),
    /**
     * Unreliable connection: messages to one peer, with only SEND and RDMA WRITE. If a packet of a message is lost, the message
     * is dropped, and no completion reports the loss.
     */
    UC(3),
    /**
     * Unreliable datagram: messages of one packet to any peer (by address handle) or multicast group. Receive requests of
     * UD need 40 additional bytes for the global route header.
     */
    UD(4);

    private static final CodeTable<QpType> BY_CODE = new CodeTable<>("QP type", values(), QpType::code);

    private final int code;

    QpType(int code) {
        this.code = code;
    }

    /** {@return the value of the type in {@code enum ibv_qp_type}, 2..4} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_qp_type}.
     *
     * @param code a value that {@link #code()} returns
     * @return the type
     * @throws IllegalArgumentException if no queue pair type has the value
     */
    public static QpType of(int code) {
        return BY_CODE.of(code);
    }
}
