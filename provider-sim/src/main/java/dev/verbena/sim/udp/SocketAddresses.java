// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Converts Java's addresses to Linux's {@code sockaddr_in} or {@code sockaddr_in6}, and back. The class caches {@link
 * #SLOTS} converted addresses for each direction, so that a repeated conversion allocates nothing. Not thread-safe.
 */
final class SocketAddresses {
    /** The size that is sufficient for both {@code sockaddr_in} and {@code sockaddr_in6}. */
    static final int LENGTH = 32;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int IPV4_LENGTH = 16;
    private static final int IPV6_LENGTH = 28;
    private static final int PORT_OFFSET = 2;
    private static final int IPV4_OFFSET = 4;
    private static final int IPV6_OFFSET = 8;
    private static final int SCOPE_OFFSET = 24;
    private static final ValueLayout.OfShort FAMILY = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int SLOTS = 1024;
    private static final long GOLDEN_RATIO = 0x9e37_79b9_7f4a_7c15L;

    private final @Nullable InetSocketAddress[] written = new InetSocketAddress[SLOTS];
    private final MemorySegment bytes = Arena.ofAuto().allocate((long) SLOTS * LENGTH, Long.BYTES);
    private final @Nullable InetSocketAddress[] read = new InetSocketAddress[SLOTS];
    private final long[] readKeys = new long[3 * SLOTS];

    int write(InetSocketAddress address, MemorySegment into, long offset) {
        int slot = System.identityHashCode(address) & (SLOTS - 1);
        long known = (long) slot * LENGTH;
        if (!address.equals(written[slot])) {
            encode(address, bytes.asSlice(known, LENGTH));
            written[slot] = address;
        }
        MemorySegment.copy(bytes, known, into, offset, LENGTH);
        return bytes.get(FAMILY, known) == AF_INET ? IPV4_LENGTH : IPV6_LENGTH;
    }

    private static void encode(InetSocketAddress address, MemorySegment into) {
        InetAddress host = address.getAddress();
        byte[] raw = host.getAddress();
        boolean ipv4 = raw.length == Integer.BYTES;
        into.fill((byte) 0);
        into.set(FAMILY, 0, (short) (ipv4 ? AF_INET : AF_INET6));
        into.set(PORT, PORT_OFFSET, (short) address.getPort());
        MemorySegment.copy(raw, 0, into, ValueLayout.JAVA_BYTE, ipv4 ? IPV4_OFFSET : IPV6_OFFSET, raw.length);
        if (host instanceof Inet6Address scoped) {
            into.set(INT, SCOPE_OFFSET, scoped.getScopeId());
        }
    }

    /** Reads a {@code sockaddr} that the kernel wrote. */
    InetSocketAddress read(MemorySegment from, long offset) {
        boolean ipv4 = from.get(FAMILY, offset) == AF_INET;
        long first = ipv4 ? from.get(LONG, offset) : from.get(INT, offset) & 0xffff_ffffL;
        long second = ipv4 ? 0 : from.get(LONG, offset + IPV6_OFFSET);
        long third = ipv4 ? 0 : from.get(LONG, offset + IPV6_OFFSET + Long.BYTES);
        int slot = (int) (((first * 31 + second) * 31 + third) * GOLDEN_RATIO >>> 32) & (SLOTS - 1);
        int key = 3 * slot;
        InetSocketAddress known = read[slot];
        if (known == null || readKeys[key] != first || readKeys[key + 1] != second || readKeys[key + 2] != third) {
            known = decode(from.asSlice(offset, LENGTH), ipv4);
            read[slot] = known;
            readKeys[key] = first;
            readKeys[key + 1] = second;
            readKeys[key + 2] = third;
        }
        return known;
    }

    private static InetSocketAddress decode(MemorySegment from, boolean ipv4) {
        byte[] raw = from.asSlice(ipv4 ? IPV4_OFFSET : IPV6_OFFSET, ipv4 ? Integer.BYTES : 2L * Long.BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(raw), Short.toUnsignedInt(from.get(PORT, PORT_OFFSET)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + raw.length + " bytes", e);
        }
    }

    /** Returns whether a {@code sockaddr} equals a Java address. IPv6 scope ids are not compared. */
    static boolean equal(MemorySegment raw, InetSocketAddress address) {
        int family = raw.get(FAMILY, 0);
        boolean ipv4 = address.getAddress().getAddress().length == Integer.BYTES;
        if (family != (ipv4 ? AF_INET : AF_INET6)) {
            return false;
        }
        MemorySegment wanted = MemorySegment.ofArray(new byte[LENGTH]);
        encode(address, wanted);
        long from = ipv4 ? IPV4_OFFSET : IPV6_OFFSET;
        long to = ipv4 ? IPV4_OFFSET + Integer.BYTES : SCOPE_OFFSET;
        return raw.get(PORT, PORT_OFFSET) == wanted.get(PORT, PORT_OFFSET)
                && MemorySegment.mismatch(raw, from, to, wanted, from, to) < 0;
    }
}
