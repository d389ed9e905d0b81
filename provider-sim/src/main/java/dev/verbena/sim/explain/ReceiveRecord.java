// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.runtime.CacheLinePadded;

/**
 * The part of a {@link QpRecord} that the receive task writes. Posters and the send task write the fields of
 * {@link QpRecord}, often in another thread than the receive task. So that these threads do not contend for a cache
 * line, a {@code ReceiveRecord} has cache lines of its own.
 */
public final class ReceiveRecord extends CacheLinePadded {
    /** The number of receive requests that messages have consumed. */
    int receives;

    int lastRequestPsn = QpRecord.NONE;
    private boolean tookReceive;
    /** Counts messages that found no posted receive, while no earlier message has consumed a receive request. */
    int early;

    /** Counts messages that found no posted receive, after an earlier message has consumed a receive request. */
    int late;

    ReceiveRecord() {}

    void clear() {
        receives = 0;
        lastRequestPsn = QpRecord.NONE;
        tookReceive = false;
        early = 0;
        late = 0;
    }

    /** Records the PSN of a request that had the expected PSN. */
    public void accepted(int psn) {
        lastRequestPsn = psn;
    }

    public void tookReceive() {
        tookReceive = true;
    }

    /**
     * Records a batch that the loopback path executed.
     *
     * @param psn the PSN of the last request of the batch
     * @param anyReceive whether at least one message of the batch found a posted receive
     * @param filled the number of receive requests that the messages of the batch consumed
     */
    public void accepted(int psn, boolean anyReceive, int filled) {
        lastRequestPsn = psn;
        tookReceive |= anyReceive;
        receives += filled;
    }

    /** Counts a message that found no posted receive. */
    public void noReceive() {
        if (tookReceive) {
            late++;
        } else {
            early++;
        }
    }
}
