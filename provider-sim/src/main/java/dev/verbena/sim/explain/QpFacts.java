// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.List;

/**
 * The present state of a queue pair, for its explanation.
 *
 * @param number its number
 * @param type its transport
 * @param state its state
 * @param draining whether requests that were begun are not complete in SQD
 * @param sendQueue its send queue
 * @param receiveQueue its own receive queue
 * @param queueKey the Q_Key that received datagrams must carry
 * @param rnrForever whether RNR retries are unlimited
 * @param sending the state of the sender, one fact a line
 * @param expectedPsn the PSN of the next request expected
 */
public record QpFacts(
        int number,
        QpType type,
        QpState state,
        boolean draining,
        WorkQueue sendQueue,
        Ring receiveQueue,
        int queueKey,
        boolean rnrForever,
        List<String> sending,
        int expectedPsn) {
    /** Copies the list. */
    public QpFacts {
        sending = List.copyOf(sending);
    }
}
