// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A global identifier: 128 bits that identify a port ({@code union ibv_gid}, IBTA volume 1, 4.1.1).
 *
 * <p>On InfiniBand a GID consists of the subnet prefix and a GUID. With RoCEv2 the GID <em>is</em> the IP address: an
 * IPv6 address is the GID itself, and an IPv4 address is mapped to {@code ::ffff:a.b.c.d}. No method of this class uses
 * a name service.
 *
 * @param high the first eight bytes of the GID in network order, the subnet prefix
 * @param low the last eight bytes of the GID in network order, the interface id
 * @since 1.0
 */
public record Gid(long high, long low) {
    /** The length of a GID in bytes. */
    public static final int BYTES = 16;

    /** The GID of 16 zero bytes. In a GID table, this value marks an unused entry. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final long IPV4_PREFIX = 0x0000_FFFF_0000_0000L;
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

    /**
     * Creates a GID from its raw bytes, as in {@code ibv_gid.raw} and in packets.
     *
     * @param bytes 16 bytes in network order
     * @return the GID
     * @throws IllegalArgumentException if the array does not have 16 bytes
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException(
                    "gid has " + bytes.length + " bytes, legal is exactly 16; map an IPv4 address with Gid.ofAddress");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /**
     * Parses a GID. The method accepts IPv6 in any notation (also the eight groups that sysfs prints), IPv4-mapped IPv6,
     * and dotted-decimal IPv4. An IPv4 address becomes an IPv4-mapped GID.
     *
     * @param text an IP address, for example {@code fe80::1}, {@code ::ffff:10.0.0.1} or {@code 10.0.0.1}
     * @return the GID
     * @throws IllegalArgumentException if the text is no such IP address, for example a host name or an address with a
     *     scope id ({@code %eth0})
     */
    public static Gid parse(String text) {
        if (IPV6.matcher(text).matches() || IPV4.matcher(text).matches()) {
            try {
                return ofAddress(InetAddress.ofLiteral(text));
            } catch (IllegalArgumentException e) {
                throw notAGid(text, e);
            }
        }
        throw notAGid(text, null);
    }

    private static IllegalArgumentException notAGid(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "gid '" + text
                        + "' is not an IP address; write IPv6 (fe80::1) or IPv4 (10.0.0.1), without host name or zone",
                cause);
    }

    /**
     * Returns the GID of an IP address in RoCEv2.
     *
     * @param address an IPv4 or IPv6 address; the method ignores the scope id of an IPv6 address
     * @return the GID
     */
    public static Gid ofAddress(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == BYTES
                ? of(bytes)
                : new Gid(0, IPV4_PREFIX | (ByteBuffer.wrap(bytes).getInt() & 0xFFFF_FFFFL));
    }

    /** {@return the raw bytes of the GID, a new array of 16 bytes in network order} */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /**
     * {@return the IP address of this GID in RoCEv2; the address is an {@link java.net.Inet4Address} if
     * {@link #isIpv4()} is true, otherwise an {@link java.net.Inet6Address}}
     */
    public InetAddress toAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException e) {
            throw new AssertionError("sixteen bytes are always an address", e);
        }
    }

    /** {@return whether the GID has the form {@code ::ffff:a.b.c.d}; RoCEv2 uses IPv4 packets for such a GID} */
    public boolean isIpv4() {
        return high == 0 && (low & 0xFFFF_FFFF_0000_0000L) == IPV4_PREFIX;
    }

    /**
     * Returns the IPv4 address of an IPv4-mapped GID.
     *
     * @return the IPv4 address of this GID as a number; {@code 10.0.0.1} is {@code 0x0A000001}
     * @throws IllegalStateException if {@link #isIpv4()} is false
     */
    public int ipv4() {
        if (!isIpv4()) {
            throw new IllegalStateException("gid " + this + " contains no IPv4 address; check isIpv4() first");
        }
        return (int) low;
    }

    /** {@return whether the GID is in {@code fe80::/10} (link-local), as every port's default GID is} */
    public boolean isLinkLocal() {
        return high >>> 54 == 0xFE80 >>> 6;
    }

    /**
     * {@return whether the GID identifies a multicast group: {@code ff00::/8} or a mapped IPv4 address in {@code 224.0.0.0/4}}
     */
    public boolean isMulticast() {
        return high >>> 56 == 0xFF || (isIpv4() && (low & 0xF000_0000L) == 0xE000_0000L);
    }

    /**
     * {@return the shortest notation of the GID, as {@code inet_ntop} and the libibverbs tools write a GID. The text of an
     * IPv4-mapped GID ends in a dotted IPv4 address}
     */
    @Override
    public String toString() {
        int start = -1;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && group(end) == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
            i = Math.max(i, end - 1);
        }
        boolean dotted = start == 0 && (length == 6 || (length == 5 && group(5) == 0xFFFF));
        int groups = dotted ? 6 : 8;
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < groups; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                separate(text).append(Integer.toHexString(group(i)));
            }
        }
        if (dotted) {
            separate(text).append(group(6) >>> 8).append('.').append(group(6) & 0xFF);
            text.append('.').append(group(7) >>> 8).append('.').append(group(7) & 0xFF);
        }
        return text.toString();
    }

    private static StringBuilder separate(StringBuilder text) {
        return text.isEmpty() || text.charAt(text.length() - 1) == ':' ? text : text.append(':');
    }

    private int group(int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (index & 3))) & 0xFFFF;
    }
}
