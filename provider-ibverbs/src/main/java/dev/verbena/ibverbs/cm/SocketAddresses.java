// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.struct.RdmaAddr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts IP addresses and ports to and from {@code struct sockaddr_in} and {@code sockaddr_in6} (ip(7), ipv6(7)). */
public final class SocketAddresses {
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private static final long FAMILY = 0;
    private static final long PORT = 2;
    private static final long IPV4_ADDRESS = 4;
    private static final long IPV6_ADDRESS = 8;
    private static final long IPV6_SCOPE = 24;

    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {}

    /** Returns NULL if the address is absent. */
    public static MemorySegment encode(Arena arena, @Nullable InetSocketAddress address) {
        return address == null ? MemorySegment.NULL : encode(arena, address.getAddress(), address.getPort());
    }

    public static MemorySegment encode(Arena arena, InetAddress address, int port) {
        MemorySegment raw = arena.allocate(RdmaAddr.STORAGE, Long.BYTES);
        byte[] bytes = address.getAddress();
        boolean ipv4 = bytes.length == IPV4_BYTES;
        raw.set(JAVA_SHORT, FAMILY, ipv4 ? AF_INET : AF_INET6);
        raw.set(NETWORK_SHORT, PORT, (short) port);
        MemorySegment.copy(bytes, 0, raw, JAVA_BYTE, ipv4 ? IPV4_ADDRESS : IPV6_ADDRESS, bytes.length);
        if (address instanceof Inet6Address scoped) {
            raw.set(JAVA_INT, IPV6_SCOPE, scoped.getScopeId());
        }
        return raw;
    }

    private static InetAddress ipv6(byte[] bytes, int scope) throws UnknownHostException {
        return scope == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
    }

    /** Returns empty for the address family 0, which means that the connection id has no address. */
    public static Optional<InetSocketAddress> decode(MemorySegment raw) {
        int family = raw.get(JAVA_SHORT, FAMILY);
        int port = Short.toUnsignedInt(raw.get(NETWORK_SHORT, PORT));
        try {
            return switch (family) {
                case AF_INET ->
                    Optional.of(new InetSocketAddress(
                            InetAddress.getByAddress(
                                    raw.asSlice(IPV4_ADDRESS, IPV4_BYTES).toArray(JAVA_BYTE)),
                            port));
                case AF_INET6 ->
                    Optional.of(new InetSocketAddress(
                            ipv6(
                                    raw.asSlice(IPV6_ADDRESS, IPV6_BYTES).toArray(JAVA_BYTE),
                                    raw.get(JAVA_INT, IPV6_SCOPE)),
                            port));
                default -> Optional.empty();
            };
        } catch (UnknownHostException impossible) {
            throw new AssertionError("four or sixteen bytes are always an address", impossible);
        }
    }
}
