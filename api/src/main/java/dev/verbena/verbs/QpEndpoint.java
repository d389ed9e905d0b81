// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The numbers by which a peer reaches a queue pair: {@code ibv_rc_pingpong} prints them as local and remote address.
 * Two sides exchange them by any means, such as a socket or a file, and pass them to {@link QpConnector#connect}.
 * Immutable.
 *
 * @param gid the port's address
 * @param lid the port's address within an InfiniBand subnet, 16 bits; 0 on Ethernet
 * @param queuePairNumber the queue pair, 24 bits
 * @param psn the number of the first packet that this side sends
 * @param mtu the largest payload of a packet that this side takes
 * @param readDepth 0..255 READs and atomics that this side serves at once
 * @since 1.0
 */
public record QpEndpoint(Gid gid, int lid, int queuePairNumber, Psn psn, PathMtu mtu, int readDepth) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public QpEndpoint {
        ValueChecks.inRange("lid", lid, 0, 0xFFFF, "use 0 on Ethernet");
        ValueChecks.inRange("queuePairNumber", queuePairNumber, 0, 0xFF_FFFF, "QP numbers have 24 bits");
        ValueChecks.inRange("readDepth", readDepth, 0, 0xFF, "see DeviceAttributes.maxQpRdAtom for the most");
    }
}
