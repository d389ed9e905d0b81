// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.runtime.CacheLinePadded;

/**
 * The part of a {@link QpRecord} that the receive task writes. This part has its own cache lines, because posters and the send task
 * write the rest, often in another thread.
 */
public final class ReceiveRecord extends CacheLinePadded {
    /** How many receives messages have filled. */
    int receives;

    int lastRequestPsn = QpRecord.NONE;
    private boolean tookReceive;
    /** How many messages found no receive before the first one that did. */
    int early;

    /** How many messages found no receive after that. */
    int late;

    ReceiveRecord() {}

    void clear() {
        receives = 0;
        lastRequestPsn = QpRecord.NONE;
        tookReceive = false;
        early = 0;
        late = 0;
    }

    /**
     * Records the last request with the expected PSN.
     *
     * @param psn its PSN
     */
    public void accepted(int psn) {
        lastRequestPsn = psn;
    }

    /** Records that a message found a receive. */
    public void tookReceive() {
        tookReceive = true;
    }

    /**
     * Records a batch of the loopback path.
     *
     * @param psn the PSN of its last request
     * @param anyReceive whether a message found a receive
     * @param filled how many receives messages have filled
     */
    public void accepted(int psn, boolean anyReceive, int filled) {
        lastRequestPsn = psn;
        tookReceive |= anyReceive;
        receives += filled;
    }

    /** Counts a message that found no receive. */
    public void noReceive() {
        if (tookReceive) {
            late++;
        } else {
            early++;
        }
    }
}
