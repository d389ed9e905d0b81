// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of LNet network drivers (LND). Bits 48 to 55 of a NID contain the type. Source: {@code lnet/nidstr.h}. */
public enum LndType {
    /** TCP sockets. */
    TCP(2, true),
    /** OpenFabrics verbs. The package {@code dev.verbena.lnd} implements this LND. */
    O2IB(5, true),
    /** Loopback inside one node. */
    LO(9, false),
    /** Cray Gemini and Aries. */
    GNI(13, false),
    /** Cray Gemini with IP addresses. */
    GIP(14, true),
    /** Portals 4. */
    PTLF(15, false),
    /** libfabric in the kernel, used for Slingshot networks. */
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

    /** {@return the code of the type in a NID, 1 to 255} */
    public int code() {
        return code;
    }

    /** {@return whether NIDs of this type have IPv4 addresses; NIDs of other types have plain numbers} */
    public boolean isIpAddressed() {
        return ipAddressed;
    }

    /** {@return the name after the {@code @} of a NID without a network number, for example {@code o2ib}} */
    public String networkName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the type with the given code, or null if the code is unknown}
     *
     * @param code the code of an LND type; only the lower eight bits are used
     */
    public static @Nullable LndType of(int code) {
        return BY_CODE[code & 0xff];
    }

    /**
     * {@return the type with the given name, or null if the name is unknown}
     *
     * @param name the name of a type without a network number, for example {@code o2ib}
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
