// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The global route header (GRH) of an address vector ({@code struct ibv_global_route}, {@code ibv_create_ah}(3)). With
 * RoCEv2 the values of this record are in the IP header of each packet.
 *
 * @param destination the GID of the peer's port, or of a multicast group
 * @param flowLabel 0..0xFFFFF, the flow label; with RoCEv2 the device only derives the UDP source port from the label
 * @param sgidIndex 0..255, the index of the local GID in the port's GID table. The table entry of the local GID also
 *     determines whether packets are IPv4 or IPv6, and RoCE v1 or v2. A wrong GID index is the most frequent cause of
 *     {@link WorkCompletionStatus#RETRY_EXC_ERR}
 * @param hopLimit 0..255, the hop limit, or the TTL of an IPv4 packet
 * @param trafficClass 0..255, the traffic class; an IPv4 packet has this value in the TOS byte (DSCP and ECN)
 * @since 1.0
 */
public record GlobalRoute(Gid destination, int flowLabel, int sgidIndex, int hopLimit, int trafficClass) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the value of a field is out of range
     */
    public GlobalRoute {
        ValueChecks.inRange("flowLabel", flowLabel, 0, 0xF_FFFF, "the field has 20 bits");
        ValueChecks.inRange("sgidIndex", sgidIndex, 0, 0xFF, "use an index of the port's GID table");
        ValueChecks.inRange("hopLimit", hopLimit, 0, 0xFF, "64 is usual");
        ValueChecks.inRange("trafficClass", trafficClass, 0, 0xFF, "the field has 8 bits");
    }
}
