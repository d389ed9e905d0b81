package dev.verbena.sim.qp;

import dev.verbena.sim.runtime.OwnLine;
import dev.verbena.wire.Psn;

/** Where the receiving half of a reliable connection stands; belongs to the receive task. */
final class ReceiveState extends OwnLine {
    /** What kind of message the last accepted packet left unfinished. */
    enum Inside {
        NOTHING,
        SEND,
        WRITE
    }

    /** PSN of the next packet; {@link #advance} alone moves it on. */
    private int psn;
    /**
     * The place of the next packet among all that were accepted since the connection began. Unlike its PSN no other packet has it, so
     * that what is remembered of a request belongs to no other one a wrap of the PSN later.
     */
    private long place;
    /** Behind the last request that a plain ACK answers. */
    int ackPsn;
    /** How many messages came, modulo 2^24. */
    int msn;

    Inside inside = Inside.NOTHING;
    /** Whether a NAK has told of the gap before what came last. */
    boolean gapReported;
    /** Whether an acknowledgement was asked for that has not been sent, since more requests are there already. */
    boolean owesAck;
    /** Whether the answer to a READ is being sent, packet by packet. */
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

    /** The place that a packet had which came before, by its PSN. */
    long placeOf(int earlierPsn) {
        return place - Psn.distance(earlierPsn, psn);
    }

    /** Accepts packets. */
    void advance(int packets) {
        psn = Psn.add(psn, packets);
        place += packets;
    }
}
