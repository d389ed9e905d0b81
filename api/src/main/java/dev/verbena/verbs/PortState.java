// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The logical state of a port ({@code enum ibv_port_state}; IBTA volume 1, 7.2.7).
 *
 * @since 1.0
 */
public enum PortState {
    /** No state given; used when setting, never reported by a working port. */
    NOP(0),
    /** No link. */
    DOWN(1),
    /** Link, but no subnet manager has set the port up yet: on InfiniBand, one is missing. */
    INIT(2),
    /** Set up, not yet opened for data. */
    ARMED(3),
    /** Carries data. */
    ACTIVE(4),
    /** Was active; the link is recovering and the logical state is kept for the moment. */
    ACTIVE_DEFER(5),
    /** A state that this release does not know; {@link PortAttributes} has the number. */
    UNKNOWN(-1);

    private static final CodeTable<PortState> BY_CODE = new CodeTable<>("port state", values(), PortState::code);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_port_state}.
     *
     * @return 0..5, -1 for {@link #UNKNOWN}
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
    public static PortState of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
