// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The physical state of a port ({@code phys_state} of {@code ibv_query_port}(3), IBTA volume 1, PortInfo).
 *
 * @since 1.0
 */
public enum PhysicalPortState {
    /** The driver reports 0 (no state) or an unknown value, which {@link PortAttributes#physicalStateCode} returns. */
    UNKNOWN(0),
    /** The port is in a low-power state. */
    SLEEP(1),
    /** The port polls for a link partner, because the cable or the partner is missing. */
    POLLING(2),
    /** The administrator has disabled the port. */
    DISABLED(3),
    /** The port negotiates width and speed with its link partner. */
    PORT_CONFIGURATION_TRAINING(4),
    /** The link works. */
    LINK_UP(5),
    /** The link failed, and the port tries to restore it. */
    LINK_ERROR_RECOVERY(6),
    /** The port is in a test mode. */
    PHY_TEST(7);

    private static final CodeTable<PhysicalPortState> BY_CODE =
            new CodeTable<>("physical port state", values(), PhysicalPortState::code);

    private final int code;

    PhysicalPortState(int code) {
        this.code = code;
    }

    /** {@return the value of the state in sysfs and {@code ibv_query_port}, 0..7} */
    public int code() {
        return code;
    }

    /**
     * Decodes a value of {@code phys_state}.
     *
     * @param code any value
     * @return the state, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static PhysicalPortState of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
