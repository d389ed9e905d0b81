// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The logical state of a port ({@code enum ibv_port_state}, IBTA volume 1, 7.2.7).
 *
 * @since 1.0
 */
public enum PortState {
    /** A reserved value; a working port never has this state. */
    NOP(0),
    /** The port has no link. */
    DOWN(1),
    /** The port has a link, but no subnet manager has configured it; on InfiniBand the subnet manager may be missing. */
    INIT(2),
    /** The subnet manager has configured the port, but not yet enabled data traffic. */
    ARMED(3),
    /** The port transfers data. */
    ACTIVE(4),
    /** The port was active, and its link is recovering; ACTIVE_DEFER lasts for a limited time. */
    ACTIVE_DEFER(5),
    /** A state that Verbena does not know; {@link PortAttributes#stateCode()} returns its value. */
    UNKNOWN(-1);

    private static final CodeTable<PortState> BY_CODE = new CodeTable<>("port state", values(), PortState::code);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** {@return the value of the state in {@code enum ibv_port_state}, 0..5, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_port_state}.
     *
     * @param code any value
     * @return the state, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static PortState of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
