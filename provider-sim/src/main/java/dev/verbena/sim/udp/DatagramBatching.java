// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/**
 * The largest unit that a {@link UdpFabric} may pass to one system call. The fabric uses a smaller unit if the system does
 * not support the larger one.
 */
public enum DatagramBatching {
    /** A call of {@link java.nio.channels.DatagramChannel} sends one datagram. Every system supports this unit. */
    NONE,
    /** The unit is several datagrams: Linux's {@code sendmmsg} and {@code recvmmsg}. */
    MESSAGES,
    /**
     * In addition, datagrams of one length are sent as a segment batch: Linux's {@code UDP_SEGMENT} (GSO) and {@code UDP_GRO}.
     */
    SEGMENTS
}
