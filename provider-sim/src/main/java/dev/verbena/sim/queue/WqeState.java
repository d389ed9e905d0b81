// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

/** The progress of a send work queue entry ({@code enum wqe_state}). */
public enum WqeState {
    /** No packet was sent. */
    POSTED,
    /** Some packets were sent, not all. */
    PROCESSING,
    /** All packets were sent; the peer has not acknowledged the last. */
    PENDING,
    /** The request has succeeded and waits for its completion. */
    DONE,
    /** The request failed on this side and waits for its completion with the error status. */
    ERROR;

    private static final WqeState[] VALUES = values();

    static WqeState of(int ordinal) {
        return VALUES[ordinal];
    }
}
