// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The other accesses against which atomics are atomic ({@code enum ibv_atomic_cap}; IBTA volume 1, 9.4.5).
 *
 * @since 1.0
 */
public enum AtomicCapability {
    /** No atomics. */
    NONE(0),
    /** Against other atomics through the same device only, not against the CPU. */
    HCA(1),
    /** Against every device and CPU of the host. */
    GLOB(2),
    /** A kind that this release does not know; {@link DeviceAttributes#atomicCapabilityCode()} has the number. */
    UNKNOWN(-1);

    private static final CodeTable<AtomicCapability> BY_CODE =
            new CodeTable<>("atomic capability", values(), AtomicCapability::code);

    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_atomic_cap}.
     *
     * @return 0..2, -1 for {@link #UNKNOWN}
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
    public static AtomicCapability of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
