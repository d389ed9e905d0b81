// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.runtime.CacheLinePadded;
import dev.verbena.wire.Psn;

/**
 * The state of an RC queue pair's responder, like the member {@code resp} of {@code struct rxe_qp}. After {@link #start},
 * only the owner of the receive task changes it. Any thread may read the PSN after {@code flushDeferred}.
 */
final class ReceiveState extends CacheLinePadded {
    /** The type of the incomplete message; {@code NONE} if the last accepted packet completed its message. */
    enum OpenMessage {
        NONE,
        SEND,
        WRITE
    }

    /** PSN of the next packet. Only {@link #advance} changes it. */
    private int psn;
    /**
     * The number of PSNs that the responder has accepted since the connection began. Unlike a PSN, this number does not
     * wrap, so that it identifies a stored request in {@link ResponderResources}.
     */
    private long place;
    /** An ACK for a duplicate request acknowledges all PSNs before {@code ackPsn}. */
    int ackPsn;

    int msn;

    OpenMessage openMessage = OpenMessage.NONE;
    /** Whether a NAK has reported the current PSN gap. */
    boolean gapReported;
    /**
     * Whether an acknowledgement is pending. The responder delays the acknowledgement, so that it can also acknowledge
     * requests that are already queued.
     */
    boolean owesAck;
    /** Whether the responder is still sending the response to a READ. */
    boolean readAnswered;

    void start(int firstPsn) {
        psn = firstPsn;
        place = 0;
    }

    int psn() {
        return psn;
    }

    long place() {
        return place;
    }

    /** Converts the PSN of an earlier packet to the number of PSNs accepted before that packet (see {@link #place}). */
    long placeOf(int earlierPsn) {
        return place - Psn.distance(earlierPsn, psn);
    }

    void advance(int packets) {
        psn = Psn.add(psn, packets);
        place += packets;
    }
}
