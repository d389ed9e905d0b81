package dev.verbena.sim.qp;

import dev.verbena.sim.runtime.OwnLine;

/** The part of a {@link QpRecord} that the receive task writes; posters and the send task write the rest, often in another thread. */
final class ReceiveRecord extends OwnLine {
    /** How many receives were filled. */
    int receives;

    int lastRequestPsn = QpRecord.NONE;
    boolean tookReceive;
    int early;
    int late;

    void clear() {
        receives = 0;
        lastRequestPsn = QpRecord.NONE;
        tookReceive = false;
        early = 0;
        late = 0;
    }

    /** Notes that a message found no receive. */
    void noReceive() {
        if (tookReceive) {
            late++;
        } else {
            early++;
        }
    }
}
