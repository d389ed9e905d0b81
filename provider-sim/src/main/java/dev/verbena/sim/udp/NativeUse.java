// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import java.util.Optional;

/**
 * Whether a {@link UdpFabric} may call the operating system for functions that Java lacks. The first is to send and
 * receive several datagrams in one call. The second is to receive datagrams over IPv6 that have no UDP checksum, as
 * Linux's rdma_rxe sends them. Such calls need Linux and {@code --enable-native-access}.
 */
public enum NativeUse {
    /**
     * Use native calls where they work. Elsewhere the fabric sends each datagram by a call of its own, and the system
     * drops IPv6 datagrams without checksum.
     */
    AUTO,
    /** Make no native calls. */
    NEVER,
    /** Use native calls, and fail to open a device with an IPv6 address where they do not work. */
    ALWAYS;

    /**
     * Returns whether native calls work here.
     *
     * @return the reason why they do not, or empty if they do
     */
    public static Optional<String> obstacle() {
        return NativeSocketOptions.unavailable();
    }
}
