// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The kind of LNet network driver a NID belongs to: bits 48 to 55 of the NID and the name after its {@code @}.
 *
 * <p>Source: Lustre's {@code lnet/nidstr.h}.
 */
public enum LndType {
    /** TCP sockets. */
    TCP(2, true),
    /** OpenFabrics verbs, the network of {@code dev.verbena.lnd}. */
    O2IB(5, true),
    /** Loopback inside one node. */
    LO(9, false),
    /** Cray Gemini and Aries. */
    GNI(13, false),
    /** Cray Gemini by IP address. */
    GIP(14, true),
    /** Portals 4. */
    PTLF(15, false),
    /** libfabric in the kernel, for Slingshot. */
    KFI(16, false),
    /** Fujitsu Tofu. */
    TOFU(17, false),
    /** Amazon's elastic fabric adapter. */
    EFA(18, true);

    private static final LndType[] BY_CODE = new LndType[256];

    static {
        for (LndType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final boolean ipAddressed;

    LndType(int code, boolean ipAddressed) {
        this.code = code;
        this.ipAddressed = ipAddressed;
    }

    /**
     * The number in the NID.
     *
     * @return 1 to 255
     */
    public int code() {
        return code;
    }

    /**
     * Returns whether addresses of this network are IPv4 addresses; otherwise they are plain unsigned numbers.
     *
     * @return true for IPv4 addresses
     */
    public boolean isIpAddressed() {
        return ipAddressed;
    }

    /**
     * The name after the {@code @} of a NID, without network number.
     *
     * @return for example {@code o2ib}
     */
    public String networkName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds the type with a given number.
     *
     * @param code the number; only its low eight bits count
     * @return the type, or null if no LND known here has that number
     */
    public static @Nullable LndType of(int code) {
        return BY_CODE[code & 0xff];
    }

    /**
     * Finds the type with a given name.
     *
     * @param name for example {@code o2ib}, without network number
     * @return the type, or null if no LND known here has that name
     */
    public static @Nullable LndType named(String name) {
        for (LndType type : values()) {
            if (type.networkName().equals(name)) {
                return type;
            }
        }
        return null;
    }
}
