// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.runtime.CacheLinePadded;
import dev.verbena.wire.Psn;

/**
 * The state of the responder of a reliable connection, used only by the receive task.
 *
 * <p>In the kernel this is the {@code resp} part of {@code struct rxe_qp}.
 */
final class ReceiveState extends CacheLinePadded {
    /** The kind of message that the last accepted packet left unfinished. */
    enum OpenMessage {
        NONE,
        SEND,
        WRITE
    }

    /** PSN of the next packet. Only {@link #advance} changes it. */
    private int psn;
    /**
     * The number of PSNs accepted since the connection began. Unlike a PSN it is unique, so that a remembered request is not mistaken
     * for another one after the PSN wraps.
     */
    private long place;
    /** The PSN after the last request that a plain ACK answers. */
    int ackPsn;
    /** The MSN: executed messages, modulo 2^24. */
    int msn;

    OpenMessage openMessage = OpenMessage.NONE;
    /** Whether a NAK has reported the present PSN gap. */
    boolean gapReported;
    /** Whether a requested acknowledgement has not been sent yet, to be coalesced with those of requests already queued. */
    boolean owesAck;
    /** Whether a READ response is being sent, packet by packet. */
    boolean readAnswered;

    /** Begins a connection. */
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

    /** Returns the place of an earlier packet, by its PSN. */
    long placeOf(int earlierPsn) {
        return place - Psn.distance(earlierPsn, psn);
    }

    /** Moves on by accepted packets. */
    void advance(int packets) {
        psn = Psn.add(psn, packets);
        place += packets;
    }
}
