// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.List;

/**
 * The current state of a queue pair, from which {@link QpExplainer} creates a diagnosis.
 *
 * @param draining whether the queue pair is in SQD and some requests that have begun are not complete yet
 * @param receiveQueue the queue pair's own receive queue, which is unused if the queue pair has an SRQ
 * @param queueKey the Q_Key that received datagrams must contain
 * @param rnrForever whether RNR retries are unlimited
 * @param sending lines of text: the requester's PSNs and, on RC, remaining retries, send window and READs in flight
 * @param expectedPsn the PSN of the next request that the responder expects
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
    public QpFacts {
        sending = List.copyOf(sending);
    }
}
