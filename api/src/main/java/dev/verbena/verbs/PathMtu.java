// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Arrays;
import java.util.Optional;

/**
 * The payload that one packet may carry ({@code enum ibv_mtu}).
 *
 * <p>Headers are not counted: RoCEv2 needs about 80 bytes more in the IP packet, so an Ethernet MTU of 1500 allows
 * {@link #MTU_1024} and 4200 is needed for {@link #MTU_4096}. Both ends of a connection must use the same one, and
 * none above {@link PortAttributes#activeMtu()}.
 *
 * @since 1.0
 */
public enum PathMtu {
    /** 256 bytes of payload. */
    MTU_256(256, 1),
    /** 512 bytes of payload. */
    MTU_512(512, 2),
    /** 1024 bytes of payload, the most that an Ethernet MTU of 1500 takes. */
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

    /**
     * The payload of a full packet.
     *
     * @return bytes
     */
    public int bytes() {
        return bytes;
    }

    /**
     * The number of {@code enum ibv_mtu}, also used by the connection manager's messages.
     *
     * @return 1..5
     */
    public int code() {
        return code;
    }

    /**
     * The path MTU of exactly that many bytes.
     *
     * @param bytes 256, 512, 1024, 2048 or 4096
     * @return the constant
     * @throws IllegalArgumentException if it is another number; see {@link #largestNotAbove(int)}
     */
    public static PathMtu ofBytes(int bytes) {
        return BY_BYTES.of(bytes);
    }

    /**
     * The path MTU of a number of {@code enum ibv_mtu}.
     *
     * @param code 1..5
     * @return the constant
     * @throws IllegalArgumentException if it is another number
     */
    public static PathMtu ofCode(int code) {
        return BY_CODE.of(code);
    }

    /**
     * The largest path MTU with a payload that fits.
     *
     * @param bytes room for payload, in bytes, headers already taken off
     * @return the largest that is not above, empty below 256
     */
    public static Optional<PathMtu> largestNotAbove(int bytes) {
        return Arrays.stream(values()).filter(mtu -> mtu.bytes <= bytes).reduce((smaller, larger) -> larger);
    }

    /**
     * The smaller of two path MTUs, on which two ports can agree.
     *
     * @param a one
     * @param b the other
     * @return the smaller
     */
    public static PathMtu min(PathMtu a, PathMtu b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
