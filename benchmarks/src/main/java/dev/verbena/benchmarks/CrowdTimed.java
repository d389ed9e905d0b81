// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;

/** Measures batches of RDMA WRITEs that are posted to many queue pairs round-robin. */
final class CrowdTimed implements Timed {
    private static final int DEPTH = 16;
    private static final int BATCH = 8;
    private static final int BATCHES = 64;

    private final Link link;
    private final QueuePair[] queuePairs;
    private final SendRequests[] requests;
    private int next;

    CrowdTimed(Link link, int count, int bytes) throws VerbsException {
        this.link = link;
        queuePairs = new QueuePair[count];
        requests = new SendRequests[count];
        for (int i = 0; i < count; i++) {
            queuePairs[i] = link.another(DEPTH);
            requests[i] = link.writes(queuePairs[i], bytes, BATCH);
        }
    }

    @Override
    public int run() {
        for (int i = 0; i < BATCHES; i++) {
            queuePairs[next].postSend(requests[next], BATCH);
            link.left.awaitSend();
            next = next + 1 == queuePairs.length ? 0 : next + 1;
        }
        return BATCHES * BATCH;
    }

    @Override
    public void close() {
        link.close();
    }
}
