package dev.verbena.sim.qp;

import dev.verbena.sim.runtime.OwnLine;

/** Where the receiving half of a reliable connection stands; belongs to the receive task. */
final class ReceiveState extends OwnLine {
    /** What kind of message the last accepted packet left unfinished. */
    enum Inside {
        NOTHING,
        SEND,
        WRITE
    }

    /** PSN of the next packet. */
    int psn;
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
}
