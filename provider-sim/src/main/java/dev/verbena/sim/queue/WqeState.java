package dev.verbena.sim.queue;

/** How far a send work queue entry has come ({@code enum wqe_state}). */
public enum WqeState {
    /** Nothing was sent. */
    POSTED,
    /** The first packets were sent, not all. */
    PROCESSING,
    /** All packets were sent; the peer has not acknowledged the last. */
    PENDING,
    /** It is done and waits to be completed. */
    DONE,
    /** It failed on this side and waits to be completed with its status. */
    ERROR;

    private static final WqeState[] VALUES = values();

    static WqeState of(int ordinal) {
        return VALUES[ordinal];
    }
}
