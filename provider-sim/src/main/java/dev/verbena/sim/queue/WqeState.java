// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/** The progress of a send work queue entry ({@code enum wqe_state}). */
public enum WqeState {
    /** The requester has sent no packet of the request. */
    POSTED,
    /** The requester has sent some packets of the request, but not all. */
    PROCESSING,
    /** The requester has sent all packets of the request; the peer has not acknowledged the last packet. */
    PENDING,
    /** The request succeeded, and its completion is not yet written. */
    DONE,
    /** The request failed at the requester, and the error completion is not yet written. */
    ERROR;

    private static final WqeState[] VALUES = values();

    static WqeState of(int ordinal) {
        return VALUES[ordinal];
    }
}
