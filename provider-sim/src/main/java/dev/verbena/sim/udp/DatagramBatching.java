// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/**
 * The largest batch of datagrams that a {@link UdpFabric} may pass to one system call. If the operating system does not
 * support a {@code DatagramBatching}, the {@code UdpFabric} passes fewer datagrams to a system call.
 */
public enum DatagramBatching {
    /** One call of a {@code DatagramChannel} transfers one datagram. Every operating system supports {@code NONE}. */
    NONE,
    /** One call of Linux's {@code sendmmsg} or {@code recvmmsg} transfers several datagrams. */
    MESSAGES,
    /**
     * One system call transfers several {@code struct mmsghdr}, each with one or more datagrams of equal length. Linux
     * splits a sent GSO batch ({@code UDP_SEGMENT}), and merges received datagrams ({@code UDP_GRO}).
     */
    SEGMENTS
}
