// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The connection data (LID, QPN, PSN, GID ...) that a peer needs to connect to a queue pair. {@code ibv_rc_pingpong} prints
 * the LID, QPN, PSN and GID as "local address" and "remote address". Two applications exchange their connection data by any
 * means, such as a socket or a file, and pass the peer's connection data to {@link QpConnector#connect}. Immutable.
 *
 * @param gid the port's GID
 * @param lid the port's LID within an InfiniBand subnet, 16 bits; 0 on Ethernet
 * @param queuePairNumber the QPN, 24 bits
 * @param psn the PSN of the first packet that the queue pair sends, 24 bits
 * @param mtu the maximum payload of a packet that the port can receive
 * @param readDepth the maximum number of outstanding READs and atomics that the queue pair's responder supports, 0..255
 * @since 1.0
 */
public record QpEndpoint(Gid gid, int lid, int queuePairNumber, Psn psn, PathMtu mtu, int readDepth) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one of the attributes is out of range
     */
    public QpEndpoint {
        ValueChecks.inRange("lid", lid, 0, 0xFFFF, "use 0 on Ethernet");
        ValueChecks.inRange("queuePairNumber", queuePairNumber, 0, 0xFF_FFFF, "QP numbers have 24 bits");
        ValueChecks.inRange("readDepth", readDepth, 0, 0xFF, "DeviceAttributes.maxQpRdAtom is the maximum");
    }
}
