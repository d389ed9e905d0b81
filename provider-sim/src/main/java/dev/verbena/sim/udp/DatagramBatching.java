package dev.verbena.sim.udp;

/** The most that a {@link UdpFabric} may put into one system call. What a system does not have, it does without. */
public enum DatagramBatching {
    /** One datagram, by {@link java.nio.channels.DatagramChannel}. Works everywhere. */
    NONE,
    /** Some datagrams: Linux's {@code sendmmsg} and {@code recvmmsg}. */
    MESSAGES,
    /** Also many datagrams of one length as one: Linux's {@code UDP_SEGMENT} and {@code UDP_GRO}. */
    SEGMENTS
}
