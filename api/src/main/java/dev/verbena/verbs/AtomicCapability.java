// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The scope in which a device's atomics are atomic ({@code enum ibv_atomic_cap}, IBTA volume 1, 9.4.5).
 *
 * @since 1.0
 */
public enum AtomicCapability {
    /** The device has no atomics. */
    NONE(0),
    /** Atomics are atomic against other atomics of the same device, but not against the CPU. */
    HCA(1),
    /** Atomics are atomic against every device and CPU of the host. */
    GLOB(2),
    /** An unknown atomic capability; {@link DeviceAttributes#atomicCapabilityCode()} returns its value. */
    UNKNOWN(-1);

    private static final CodeTable<AtomicCapability> BY_CODE =
            new CodeTable<>("atomic capability", values(), AtomicCapability::code);

    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /** {@return the value of the scope in {@code enum ibv_atomic_cap}, 0..2, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_atomic_cap}.
     *
     * @param code any value
     * @return the scope with this value; {@link #UNKNOWN} if Verbena does not know the value
     */
    public static AtomicCapability of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
