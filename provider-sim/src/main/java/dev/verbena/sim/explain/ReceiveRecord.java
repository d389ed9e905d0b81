// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.runtime.CacheLinePadded;

/**
 * The fields of a {@link QpRecord} that the receive task writes. Padding precedes the fields of a {@code ReceiveRecord}, to
 * avoid false sharing. Posting threads and the send task write the other fields of a {@code QpRecord}.
 */
public final class ReceiveRecord extends CacheLinePadded {
    /** The number of receive requests that messages have consumed. */
    int receives;

    int lastRequestPsn = QpRecord.NONE;
    private boolean tookReceive;
    /** The number of times that a message found no posted receive before any message had consumed a receive. */
    int early;

    /** The number of times that a message found no posted receive after a message had consumed a receive. */
    int late;

    ReceiveRecord() {}

    void clear() {
        receives = 0;
        lastRequestPsn = QpRecord.NONE;
        tookReceive = false;
        early = 0;
        late = 0;
    }

    /** Stores the PSN of a request packet. On RC, the packet has the expected PSN. */
    public void accepted(int psn) {
        lastRequestPsn = psn;
    }

    public void tookReceive() {
        tookReceive = true;
    }

    /**
     * Stores the results of a batch of send requests that the loopback path executed.
     *
     * @param psn the PSN of the last send request in the batch
     * @param anyReceive whether at least one message of the request batch found a posted receive
     * @param filled the number of receive requests that the batch of send requests consumed
     */
    public void accepted(int psn, boolean anyReceive, int filled) {
        lastRequestPsn = psn;
        tookReceive |= anyReceive;
        receives += filled;
    }

    public void noReceive() {
        if (tookReceive) {
            late++;
        } else {
            early++;
        }
    }
}
