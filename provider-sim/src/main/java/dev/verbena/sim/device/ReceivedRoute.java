// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.GidAddress;
import dev.verbena.wire.Ipv4Header;
import dev.verbena.wire.Ipv6Header;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The GIDs, flow label, traffic class and hop limit of a received datagram, from the first 40 bytes of the UD receive
 * buffer. This GRH area contains an IPv6 header, or an IPv4 header in its last 20 bytes.
 */
record ReceivedRoute(Gid source, Gid destination, int flowLabel, int trafficClass, int hopLimit) {
    static final int LENGTH = Ipv6Header.LENGTH;

    private static final int IPV4_OFFSET = LENGTH - Ipv4Header.LENGTH;
    private static final int HEADER_WORDS = Ipv4Header.LENGTH / Integer.BYTES;

    /**
     * Reads the GRH area. Returns null if the GRH area contains neither an IPv6 nor an IPv4 header. The bytes before an
     * IPv4 header are arbitrary and may resemble an IPv6 header. If the checksum of the IPv4 header is correct, this
     * method ignores the bytes before the IPv4 header.
     */
    static @Nullable ReceivedRoute read(MemorySegment area) {
        Ipv6Header ipv6 = new Ipv6Header().wrap(area, 0);
        Ipv4Header ipv4 = new Ipv4Header().wrap(area, IPV4_OFFSET);
        if (ipv6.version() != 6) {
            return ipv4.version() == 4 ? of(ipv4) : null;
        }
        boolean isIpv4 = ipv4.version() == 4 && ipv4.internetHeaderLength() == HEADER_WORDS && ipv4.checksumValid();
        return isIpv4 ? of(ipv4) : of(ipv6);
    }

    private static ReceivedRoute of(Ipv4Header header) {
        return new ReceivedRoute(
                new Gid(0, GidAddress.mapIpv4(header.source())),
                new Gid(0, GidAddress.mapIpv4(header.destination())),
                0,
                header.trafficClass(),
                header.timeToLive());
    }

    private static ReceivedRoute of(Ipv6Header header) {
        return new ReceivedRoute(
                new Gid(header.sourceHi(), header.sourceLo()),
                new Gid(header.destinationHi(), header.destinationLo()),
                header.flowLabel(),
                header.trafficClass(),
                header.hopLimit());
    }
}
