// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/** A defect of a datagram that {@link RocePacket#parse(int)} found. */
public enum PacketDefect {
    /** No defect: this is a RoCEv2 packet. Its ICRC has not been checked. */
    OK,
    /** The headers state a longer datagram than was received, or the received length is impossible. */
    TRUNCATED,
    /** Neither an IPv4 nor an IPv6 header. */
    NOT_IP,
    /** An IPv4 header with options, which RoCEv2 does not use. */
    IP_OPTIONS,
    /** A fragment of an IPv4 datagram. */
    FRAGMENT,
    /** The IPv4 header checksum does not fit the header. */
    BAD_IP_CHECKSUM,
    /** The protocol after IP is not UDP; so is every IPv6 packet with extension headers. */
    NOT_UDP,
    /** The UDP destination port is not that of RoCEv2. */
    NOT_ROCE_PORT,
    /** The lengths in the IP and UDP headers, the headers of the opcode and the pad count contradict each other. */
    BAD_LENGTH,
    /** A reserved opcode, or one of a transport that RoCEv2 devices do not exchange. */
    UNKNOWN_OPCODE,
    /** The version of the transport headers is not 0. */
    BAD_TVER
}
