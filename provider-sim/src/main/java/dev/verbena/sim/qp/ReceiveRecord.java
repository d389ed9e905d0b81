package dev.verbena.sim.qp;

import dev.verbena.sim.runtime.CacheLinePadded;

/**
 * The part of a {@link QpRecord} that the receive task writes. This part has its own cache lines, because posters and the send task
 * write the rest, often in another thread.
 */
final class ReceiveRecord extends CacheLinePadded {
    /** How many receives messages have filled. */
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

    /** Counts a message that found no receive. */
    void noReceive() {
        if (tookReceive) {
            late++;
        } else {
            early++;
        }
    }
}
