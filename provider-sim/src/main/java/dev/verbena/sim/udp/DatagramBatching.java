// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/**
 * The largest batch of datagrams that a {@link UdpFabric} may pass to one system call. The fabric uses a smaller batch if the
 * operating system does not support a batch of this kind.
 */
public enum DatagramBatching {
    /** One call transfers one datagram, through a {@code DatagramChannel}. Every system supports this. */
    NONE,
    /** One call of Linux's {@code sendmmsg} or {@code recvmmsg} transfers several datagrams. */
    MESSAGES,
    /**
     * One call transfers several messages. A message may contain several datagrams of one length: Linux splits sent
     * messages ({@code UDP_SEGMENT}, GSO) and merges received datagrams ({@code UDP_GRO}).
     */
    SEGMENTS
}
