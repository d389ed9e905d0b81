// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/**
 * The largest unit that a {@link UdpFabric} may pass to one system call. The fabric uses a smaller unit if the system does
 * not support the larger one.
 */
public enum DatagramBatching {
    /** The unit is one datagram, sent by {@code DatagramChannel}. Every system supports this unit. */
    NONE,
    /** The unit is several datagrams: Linux's {@code sendmmsg} and {@code recvmmsg}. */
    MESSAGES,
    /**
     * The unit is several datagrams, or a segment batch of datagrams of one length: Linux's {@code UDP_SEGMENT} (GSO) and
     * {@code UDP_GRO}.
     */
    SEGMENTS
}
