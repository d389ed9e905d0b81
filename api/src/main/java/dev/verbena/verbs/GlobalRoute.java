// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The global route header of an address ({@code struct ibv_global_route}, {@code ibv_create_ah}(3)). With RoCEv2 its
 * fields become those of the IP header.
 *
 * @param destination GID of the peer's port, or of a multicast group
 * @param flowLabel 0..0xFFFFF; with RoCEv2 it only helps to choose the UDP source port
 * @param sgidIndex 0..255, index of the own GID in the port's table; it also decides between IPv4 and IPv6 and
 *     between RoCE v1 and v2, and a wrong one is the commonest cause of
 *     {@link WorkCompletionStatus#RETRY_EXC_ERR}
 * @param hopLimit 0..255, TTL of an IPv4 packet
 * @param trafficClass 0..255, TOS of an IPv4 packet (DSCP and ECN)
 * @since 1.0
 */
public record GlobalRoute(Gid destination, int flowLabel, int sgidIndex, int hopLimit, int trafficClass) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number does not fit its field
     */
    public GlobalRoute {
        ValueChecks.inRange("flowLabel", flowLabel, 0, 0xF_FFFF, "the field has 20 bits");
        ValueChecks.inRange("sgidIndex", sgidIndex, 0, 0xFF, "take the index from the port's GID table");
        ValueChecks.inRange("hopLimit", hopLimit, 0, 0xFF, "64 is usual");
        ValueChecks.inRange("trafficClass", trafficClass, 0, 0xFF, "the field has 8 bits");
    }
}
