package dev.verbena.sim.cm;

import java.lang.foreign.MemorySegment;

/**
 * Something the engine has to tell the owner of a connection.
 *
 * @param kind what happened
 * @param status for REJECTED the peer's reason, for DISCONNECTED 0 or a negative errno, otherwise 0
 * @param privateData for REJECTED the peer's private data, otherwise empty
 */
record CmIndication(Kind kind, int status, MemorySegment privateData) {
    /** What can happen. */
    enum Kind {
        /** A peer asks a listener for this new connection. */
        REQUESTED,
        /** The peer accepted; the engine waits for {@link CmConnection#establish}. */
        REPLIED,
        /** The peer is ready. */
        ESTABLISHED,
        /** The peer refused. */
        REJECTED,
        /** All tries of REQ or REP went unanswered. */
        UNREACHABLE,
        /** The peer disconnects, or has confirmed this side's disconnecting, or did not answer it. */
        DISCONNECTED,
        /** Timewait is over. */
        TIMEWAIT_EXIT
    }

    static CmIndication of(Kind kind) {
        return of(kind, 0);
    }

    static CmIndication of(Kind kind, int status) {
        return new CmIndication(kind, status, MemorySegment.NULL);
    }
}
