// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import org.jspecify.annotations.Nullable;

/** The reason why a node rejects a connection request: byte 6 of {@link RejectData}. Source: {@code IBLND_REJECT_*}. */
public enum RejectReason {
    /** The rejecting node is connecting to the peer itself, and has the higher rank. */
    CONN_RACE(1),
    /** The rejecting node lacks memory or queue pairs. */
    NO_RESOURCES(2),
    /** Any other reason, after which another attempt would also fail. */
    FATAL(3),
    /** The protocol versions are incompatible; set locally when an old peer rejects with FATAL. */
    CONN_UNCOMPAT(4),
    /** The request contains an earlier incarnation of one of the nodes. */
    CONN_STALE(5),
    /** The requested number of fragments is too high for the rejecting node. */
    RDMA_FRAGS(6),
    /** The requested queue depth is too high for the rejecting node. */
    MSG_QUEUE_SIZE(7),
    /** No node listens; never sent. */
    INVALID_SRV_ID(8),
    /** The interface of the rejecting node is not up yet. */
    EARLY(9);

    private static final RejectReason[] VALUES = values();

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /** {@return the number in the private data, 1 to 9} */
    public int code() {
        return code;
    }

    /**
     * {@return the reason with a given number, or null if it is unknown, after which another attempt would also fail}
     *
     * @param code the number in the private data
     */
    public static @Nullable RejectReason of(int code) {
        return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
    }
}
