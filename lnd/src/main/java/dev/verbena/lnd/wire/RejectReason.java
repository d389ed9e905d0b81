// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import org.jspecify.annotations.Nullable;

/** Why a node refuses a connection: byte 6 of the reject data. Source: {@code IBLND_REJECT_*}. */
public enum RejectReason {
    /** The rejecter is connecting too and ranks higher. */
    CONN_RACE(1),
    /** The rejecter lacks memory or queue pairs. */
    NO_RESOURCES(2),
    /** Anything else; trying again would not help. */
    FATAL(3),
    /** The versions are incompatible; set locally when an old peer rejects with FATAL. */
    CONN_UNCOMPAT(4),
    /** The request names an earlier incarnation of the rejecter, or the rejecter knew an earlier one of the requester. */
    CONN_STALE(5),
    /** More fragments than the rejecter takes. */
    RDMA_FRAGS(6),
    /** A deeper queue than the rejecting node accepts. */
    MSG_QUEUE_SIZE(7),
    /** No node listens; never sent. */
    INVALID_SRV_ID(8),
    /** The rejecting node's interface is not up yet. */
    EARLY(9);

    private static final RejectReason[] VALUES = values();

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /** {@return the number on the wire, 1 to 9} */
    public int code() {
        return code;
    }

    /**
     * Finds the reason with a given number.
     *
     * @param code the number on the wire
     * @return the reason, or null if it is unknown, which means that trying again would not help
     */
    public static @Nullable RejectReason of(int code) {
        return code >= 1 && code <= VALUES.length ? VALUES[code - 1] : null;
    }
}
