// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import java.util.Optional;

/**
 * Whether a {@link UdpFabric} may call the operating system for functions that Java lacks. These native functions send
 * and receive several datagrams in one call, and receive IPv6 datagrams without a UDP checksum, as Linux's rdma_rxe
 * sends them. Native calls need Linux and {@code --enable-native-access}.
 */
public enum NativeUse {
    /**
     * The {@code UdpFabric} makes native calls of socket functions if such calls work. Without native calls, each datagram
     * takes one system call, and the operating system drops IPv6 datagrams without UDP checksum.
     */
    AUTO,
    /** The {@code UdpFabric} makes no native calls. */
    NEVER,
    /** The {@code UdpFabric} makes native calls. If they do not work, opening a device with an IPv6 address fails. */
    ALWAYS;

    /** {@return the reason why native calls do not work on this system, or empty if they work} */
    public static Optional<String> obstacle() {
        return NativeSocketOptions.unavailable();
    }
}
