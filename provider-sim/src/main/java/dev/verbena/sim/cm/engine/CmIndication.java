// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.lang.foreign.MemorySegment;

/**
 * An event that {@link CmEngine} reports to the {@link CmEndpoint} of a {@link CmConnection} or {@link CmListener}. For
 * REJECTED, {@code status} is the peer's reason, and {@code privateData} is the peer's private data. For DISCONNECTED,
 * {@code status} is 0 or a negative errno. Except for REJECTED, {@code privateData} is empty.
 */
public record CmIndication(Kind kind, int status, MemorySegment privateData) {
    public enum Kind {
        /** The peer's REQ to a listener created this connection. */
        REQUESTED,
        /** The peer sent a REP; {@link CmConnection#establish} sends the RTU. */
        REPLIED,
        ESTABLISHED,
        REJECTED,
        /** No reply arrived for any transmission of the REQ or the REP. */
        UNREACHABLE,
        /** The peer disconnects, or has confirmed the local DREQ, or did not reply to the local DREQ. */
        DISCONNECTED,
        TIMEWAIT_EXIT
    }

    static CmIndication of(Kind kind) {
        return of(kind, 0);
    }

    static CmIndication of(Kind kind, int status) {
        return new CmIndication(kind, status, MemorySegment.NULL);
    }
}
