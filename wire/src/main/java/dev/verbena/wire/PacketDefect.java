// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/** The result of {@link RocePacket#parse(int)}: {@link #OK} or a parse error. */
public enum PacketDefect {
    /** The datagram is a RoCEv2 packet without a parse error. The ICRC of the packet has not been checked. */
    OK,
    /** The lengths in the headers exceed the received length, or the received length is impossible. */
    TRUNCATED,
    /** The datagram begins with neither an IPv4 nor an IPv6 header. */
    NOT_IP,
    /** The IPv4 header has options, which RoCEv2 does not use. */
    IP_OPTIONS,
    /** The datagram is a fragment of an IPv4 datagram. */
    FRAGMENT,
    /** The IPv4 header checksum is wrong. */
    BAD_IP_CHECKSUM,
    /** The protocol in the IP header is not UDP, or the packet has IPv6 extension headers. */
    NOT_UDP,
    /** The UDP destination port is not {@link UdpHeader#ROCE_PORT}. */
    NOT_ROCE_PORT,
    /** The pad count, the headers of the opcode, and the lengths in the IP and UDP headers contradict each other. */
    BAD_LENGTH,
    /** The opcode is reserved, or belongs to a transport that RoCEv2 devices do not use. */
    UNKNOWN_OPCODE,
    /** The transport version in the BTH is not 0. */
    BAD_TVER
}
