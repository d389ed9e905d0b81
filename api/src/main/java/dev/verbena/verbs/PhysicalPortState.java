// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The physical state of a port ({@code phys_state} of {@code ibv_query_port}(3); IBTA volume 1, PortInfo).
 *
 * @since 1.0
 */
public enum PhysicalPortState {
    /**
     * The driver does not report a state, or reports one that this release does not know; {@link PortAttributes} has
     * the number.
     */
    UNKNOWN(0),
    /** Switched to low power. */
    SLEEP(1),
    /** Polling for a partner: the cable or the partner is missing. */
    POLLING(2),
    /** Switched off by the administrator. */
    DISABLED(3),
    /** Agreeing with the partner on width and speed. */
    PORT_CONFIGURATION_TRAINING(4),
    /** The link works. */
    LINK_UP(5),
    /** The link failed and is being brought back. */
    LINK_ERROR_RECOVERY(6),
    /** In a test mode. */
    PHY_TEST(7);

    private static final CodeTable<PhysicalPortState> BY_CODE =
            new CodeTable<>("physical port state", values(), PhysicalPortState::code);

    private final int code;

    PhysicalPortState(int code) {
        this.code = code;
    }

    /**
     * The number that sysfs and {@code ibv_query_port} use.
     *
     * @return 0..7
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
    public static PhysicalPortState of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
