// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import org.jspecify.annotations.Nullable;

/** Reasons to reject a connection request, as encoded in byte 6 of {@link RejectData}. Source: {@code IBLND_REJECT_*}. */
public enum RejectReason {
    /** Both nodes are connecting to each other, and the connection request of the rejecting node wins. */
    CONN_RACE(1),
    /** The rejecting node has too little memory or too few queue pairs. */
    NO_RESOURCES(2),
    /** A rejection that no other constant of this enum describes. After a FATAL rejection, a node does not try again. */
    FATAL(3),
    /** The protocol versions are incompatible. Lustre treats FATAL from a peer of version 0x11 as {@code CONN_UNCOMPAT}. */
    CONN_UNCOMPAT(4),
    /** The connection request contains an earlier incarnation of one of the two nodes. */
    CONN_STALE(5),
    /** The requested number of fragments exceeds the limit of the rejecting node. */
    RDMA_FRAGS(6),
    /** The requested queue depth exceeds the limit of the rejecting node. */
    MSG_QUEUE_SIZE(7),
    /** No node listens at the requested port. No node sends this reason. */
    INVALID_SRV_ID(8),
    /** The network interface of the rejecting node is not up yet. */
    EARLY(9);

    private static final RejectReason[] VALUES = values();

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /** {@return the code that the private data of a CM REJ contains for this reason, 1 to 9} */
    public int code() {
        return code;
    }

    /**
     * {@return the reason with the given code, or null if the code is unknown. After a rejection for an unknown reason, a
     * node does not repeat the rejected connection request}
     *
     * @param code the code of the reason, from the private data of a CM REJ
     */
    public static @Nullable RejectReason of(int code) {
        return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
    }
}
