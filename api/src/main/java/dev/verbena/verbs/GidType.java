// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * How packets from a GID are wrapped ({@code enum ibv_gid_type}, {@code ibv_query_gid_ex}(3)). Two peers must use the
 * same.
 *
 * @since 1.0
 */
public enum GidType {
    /** InfiniBand. */
    IB(0),
    /** RoCE v1: directly over Ethernet (ethertype 0x8915), one broadcast domain. */
    ROCE_V1(1),
    /** RoCE v2: over UDP port 4791, routable; the GID is the IP address. */
    ROCE_V2(2),
    /** A type that this release does not know; {@link GidEntry#typeCode()} has the number. */
    UNKNOWN(-1);

    private static final CodeTable<GidType> BY_CODE = new CodeTable<>("GID type", values(), GidType::code);

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_gid_type}.
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
    public static GidType of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
