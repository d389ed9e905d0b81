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
     * The UDP fabric makes native calls of socket functions if such calls work. If native calls do not work, the UDP fabric
     * makes a system call for each datagram, and the system drops IPv6 datagrams without checksum.
     */
    AUTO,
    /** The fabric makes no native calls. */
    NEVER,
    /** The fabric uses native calls. Opening a device with an IPv6 address fails if native calls do not work. */
    ALWAYS;

    /** {@return the reason why native calls do not work on this system, or empty if they work} */
    public static Optional<String> obstacle() {
        return NativeSocketOptions.unavailable();
    }
}
