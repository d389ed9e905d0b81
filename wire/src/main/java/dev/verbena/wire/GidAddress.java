// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The 16-byte addresses of RoCEv2, as two {@code long}s: {@code hi} has the first eight bytes, and {@code lo} has the last
 * eight, most significant byte first. A RoCEv2 GID is the IP address of a network interface. An IPv4 GID is an IPv4-mapped
 * IPv6 address {@code ::ffff:a.b.c.d} (InfiniBand Architecture Specification, volume 1, Annex A17; RFC 4291, section
 * 2.5.5.2).
 */
public final class GidAddress {
    /** The upper four bytes of the second {@code long} of every IPv4-mapped IPv6 address. */
    private static final long MAPPED = 0x0000_ffff_0000_0000L;

    private static final long MAPPED_MASK = 0xffff_ffff_0000_0000L;
    private static final int GROUPS = 4;

    private GidAddress() {}

    /**
     * {@return whether an address is an IPv4-mapped IPv6 address; packets to it have an IPv4 header}
     *
     * @param hi the first eight bytes of the address
     * @param lo the last eight bytes of the address
     */
    public static boolean isIpv4(long hi, long lo) {
        return hi == 0 && (lo & MAPPED_MASK) == MAPPED;
    }

    /**
     * {@return the last eight bytes of the IPv4-mapped IPv6 address of an IPv4 address; the first eight bytes are 0}
     *
     * @param ipv4 the IPv4 address, with the first octet in the highest bits
     */
    public static long mapIpv4(int ipv4) {
        return MAPPED | (ipv4 & 0xffff_ffffL);
    }

    /**
     * {@return the IPv4 address in an IPv4-mapped IPv6 address, with the first octet in the highest bits}
     *
     * @param lo the last eight bytes of an IPv4-mapped IPv6 address
     */
    public static int toIpv4(long lo) {
        return (int) lo;
    }

    /**
     * {@return whether an address is a multicast address: 224.0.0.0/4 or ff00::/8}
     *
     * @param hi the first eight bytes of the address
     * @param lo the last eight bytes of the address
     */
    public static boolean isMulticast(long hi, long lo) {
        return isIpv4(hi, lo) ? (toIpv4(lo) >>> 28) == 0xe : (hi >>> 56) == 0xff;
    }

    /**
     * {@return an IPv4 address in dotted notation}
     *
     * @param ipv4 the IPv4 address, with the first octet in the highest bits
     */
    public static String format(int ipv4) {
        return (ipv4 >>> 24) + "." + ((ipv4 >>> 16) & 0xff) + "." + ((ipv4 >>> 8) & 0xff) + "." + (ipv4 & 0xff);
    }

    /**
     * {@return the text of an address. An IPv4 address has dotted notation. An IPv6 address has eight groups of four
     * hexadecimal digits, as in the output of {@code ibv_devinfo -v}}
     *
     * @param hi the first eight bytes of the address
     * @param lo the last eight bytes of the address
     */
    public static String format(long hi, long lo) {
        if (isIpv4(hi, lo)) {
            return format(toIpv4(lo));
        }
        StringBuilder out = new StringBuilder();
        appendGroups(out, hi);
        appendGroups(out.append(':'), lo);
        return out.toString();
    }

    private static void appendGroups(StringBuilder out, long half) {
        for (int group = GROUPS - 1; group >= 0; group--) {
            out.append("%04x".formatted((half >>> (group * Short.SIZE)) & 0xffff));
            if (group > 0) {
                out.append(':');
            }
        }
    }
}
