// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Arrays;
import java.util.Optional;

/**
 * The maximum payload of one packet ({@code enum ibv_mtu}).
 *
 * <p>The headers of RoCEv2 add about 80 bytes to the IP packet, so an Ethernet MTU of 1500 allows {@link #MTU_1024},
 * and {@link #MTU_4096} needs an Ethernet MTU of 4200. The two peers of a connection must use the same path MTU, at
 * most the {@link PortAttributes#activeMtu()} of each port.
 *
 * @since 1.0
 */
public enum PathMtu {
    /** 256 bytes of payload. */
    MTU_256(256, 1),
    /** 512 bytes of payload. */
    MTU_512(512, 2),
    /** 1024 bytes of payload, the largest path MTU for an Ethernet MTU of 1500. */
    MTU_1024(1024, 3),
    /** 2048 bytes of payload. */
    MTU_2048(2048, 4),
    /** 4096 bytes of payload, the largest path MTU. */
    MTU_4096(4096, 5);

    private static final CodeTable<PathMtu> BY_CODE = new CodeTable<>("path MTU code", values(), PathMtu::code);
    private static final CodeTable<PathMtu> BY_BYTES = new CodeTable<>("path MTU", values(), PathMtu::bytes);

    private final int bytes;
    private final int code;

    PathMtu(int bytes, int code) {
        this.bytes = bytes;
        this.code = code;
    }

    /** {@return the maximum payload of a packet with this path MTU, in bytes} */
    public int bytes() {
        return bytes;
    }

    /** {@return the number of the path MTU in {@code enum ibv_mtu} and in the connection manager's messages, 1..5} */
    public int code() {
        return code;
    }

    /**
     * Returns the path MTU whose payload has exactly this length.
     *
     * @param bytes the payload in bytes: 256, 512, 1024, 2048 or 4096
     * @return the path MTU
     * @throws IllegalArgumentException if no path MTU has this payload; {@link #largestNotAbove(int)} rounds a payload down
     */
    public static PathMtu ofBytes(int bytes) {
        return BY_BYTES.of(bytes);
    }

    /**
     * Converts a value of C's {@code enum ibv_mtu} to a path MTU.
     *
     * @param code the number, 1..5
     * @return the path MTU
     * @throws IllegalArgumentException for another number
     */
    public static PathMtu ofCode(int code) {
        return BY_CODE.of(code);
    }

    /**
     * Returns the largest path MTU whose payload fits into a number of bytes.
     *
     * @param bytes the number of bytes for the payload of a packet, without headers
     * @return the largest path MTU of at most this number of bytes; empty if the number is below 256
     */
    public static Optional<PathMtu> largestNotAbove(int bytes) {
        return Arrays.stream(values()).filter(mtu -> mtu.bytes <= bytes).reduce((smaller, larger) -> larger);
    }

    /**
     * Returns the smaller of two path MTUs, for a connection between two ports.
     *
     * @param a a path MTU
     * @param b another path MTU
     * @return the smaller one
     */
    public static PathMtu min(PathMtu a, PathMtu b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
