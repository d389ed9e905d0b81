// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The encapsulation of packets from a GID ({@code enum ibv_gid_type}, {@code ibv_query_gid_ex}(3)). The two peers of a connection
 * must use the same encapsulation.
 *
 * @since 1.0
 */
public enum GidType {
    /** InfiniBand. */
    IB(0),
    /** RoCE v1: packets directly over Ethernet (ethertype 0x8915), within one broadcast domain. */
    ROCE_V1(1),
    /** RoCE v2: packets over UDP port 4791, routable; the GID is the IP address. */
    ROCE_V2(2),
    /** A type that Verbena does not know; {@link GidEntry#typeCode()} returns its value. */
    UNKNOWN(-1);

    private static final CodeTable<GidType> BY_CODE = new CodeTable<>("GID type", values(), GidType::code);

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /** {@return the value of the type in {@code enum ibv_gid_type}, 0..2, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_gid_type}.
     *
     * @param code any value
     * @return the type, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static GidType of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
