// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/**
 * The largest unit that a {@link UdpFabric} may pass to one system call. The fabric falls back to a smaller unit where
 * the system lacks one.
 */
public enum DatagramBatching {
    /** One datagram, by {@link java.nio.channels.DatagramChannel}. Works on every system. */
    NONE,
    /** Several datagrams: Linux's {@code sendmmsg} and {@code recvmmsg}. */
    MESSAGES,
    /**
     * In addition, datagrams of one length as a segment batch: Linux's {@code UDP_SEGMENT} (GSO) and {@code UDP_GRO}.
     */
    SEGMENTS
}
