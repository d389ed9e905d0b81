// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/**
 * The largest batch of datagrams that a {@link UdpFabric} may pass to one system call. The fabric uses a smaller batch if the
 * system does not support the larger one.
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
