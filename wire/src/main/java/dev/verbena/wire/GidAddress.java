// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The 16-byte addresses of RoCEv2, represented by two {@code long}s. The long {@code hi} holds the first eight bytes
 * and {@code lo} the last eight, most significant byte first. A GID is the IP address of the interface. An IPv6 address
 * is used as it is, an IPv4 address in its mapped form {@code ::ffff:a.b.c.d} (RoCEv2, Annex A17 of the InfiniBand
 * Architecture Specification; RFC 4291, section 2.5.5.2).
 */
public final class GidAddress {
    /** The upper four bytes of {@code lo} in every mapped IPv4 address. */
    private static final long MAPPED = 0x0000_ffff_0000_0000L;

    private static final long MAPPED_MASK = 0xffff_ffff_0000_0000L;
    private static final int GROUPS = 4;

    private GidAddress() {}

    /**
     * Returns which IP version carries packets to an address.
     *
     * @param hi first eight bytes of the address
     * @param lo last eight bytes of the address
     * @return true if this is a mapped IPv4 address
     */
    public static boolean isIpv4(long hi, long lo) {
        return hi == 0 && (lo & MAPPED_MASK) == MAPPED;
    }

    /**
     * Maps an IPv4 address; the first eight bytes of the result are 0.
     *
     * @param ipv4 the IPv4 address, first octet in the highest bits
     * @return the last eight bytes of the mapped address
     */
    public static long mapIpv4(int ipv4) {
        return MAPPED | (ipv4 & 0xffff_ffffL);
    }

    /**
     * Takes the IPv4 address out of a mapped one.
     *
     * @param lo last eight bytes of the mapped address
     * @return the IPv4 address, first octet in the highest bits
     */
    public static int toIpv4(long lo) {
        return (int) lo;
    }

    /**
     * Returns whether an address is a multicast group: 224.0.0.0/4 or ff00::/8.
     *
     * @param hi first eight bytes of the address
     * @param lo last eight bytes of the address
     * @return true if this is the address of a multicast group
     */
    public static boolean isMulticast(long hi, long lo) {
        return isIpv4(hi, lo) ? (toIpv4(lo) >>> 28) == 0xe : (hi >>> 56) == 0xff;
    }

    /**
     * Writes an IPv4 address down.
     *
     * @param ipv4 the address, first octet in the highest bits
     * @return the address in dotted notation
     */
    public static String format(int ipv4) {
        return (ipv4 >>> 24) + "." + ((ipv4 >>> 16) & 0xff) + "." + ((ipv4 >>> 8) & 0xff) + "." + (ipv4 & 0xff);
    }

    /**
     * Writes an address down.
     *
     * @param hi first eight bytes of the address
     * @param lo last eight bytes of the address
     * @return dotted notation for IPv4, else eight groups of four hexadecimal digits as {@code ibv_devinfo -v} prints GIDs
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
