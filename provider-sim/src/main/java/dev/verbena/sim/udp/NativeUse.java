package dev.verbena.sim.udp;

import java.util.Optional;

/**
 * Whether a {@link UdpFabric} may ask the operating system for what Java has no name for: to send and take many
 * datagrams at once, and to take datagrams over IPv6 that have no UDP checksum, as Linux's rdma_rxe sends them. It needs Linux and {@code --enable-native-access}.
 */
public enum NativeUse {
    /** Where it works; elsewhere each datagram is sent by itself, those without checksum are lost, and nothing else. */
    AUTO,
    /** Not at all. */
    NEVER,
    /** A device with an IPv6 address is refused where it does not work. */
    ALWAYS;

    /**
     * Tells whether it works here.
     *
     * @return why not, or empty if it does
     */
    public static Optional<String> obstacle() {
        return NativeSocketOptions.unavailable();
    }
}
