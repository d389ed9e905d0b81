// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/**
 * The datagrams that a {@link UdpFabric} may pass to one system call. If the system supports fewer datagrams in a call, the
 * fabric uses the next lower constant.
 */
public enum DatagramBatching {
    /** One call transfers one datagram, through a {@code DatagramChannel}. Every system supports this. */
    NONE,
    /** One call transfers several datagrams: Linux's {@code sendmmsg} and {@code recvmmsg}. */
    MESSAGES,
    /**
     * One call transfers several datagrams, or a segment batch of datagrams of one length: Linux's {@code UDP_SEGMENT} (GSO)
     * and {@code UDP_GRO}.
     */
    SEGMENTS
}
