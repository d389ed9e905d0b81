// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.SendRequests;

/** One thread posts RDMA WRITEs, at most {@link #AHEAD} of them uncompleted; another thread polls completions. */
final class SharedWriteTimed implements Timed {
    private static final int OPERATIONS = 1_000;
    private static final int AHEAD = 8;

    private final Link link;
    private final SendRequests request;
    private final Helper poller;
    private volatile long completed;

    SharedWriteTimed(Link link, int bytes) {
        this.link = link;
        request = link.writes(link.left.queuePair, bytes, 1);
        poller = new Helper("poller", this::poll);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes it.
    private void poll() {
        for (int i = 0; i < OPERATIONS; i++) {
            link.left.awaitSend();
            completed++;
        }
    }

    @Override
    public int run() {
        long before = completed;
        poller.begin();
        for (int i = 0; i < OPERATIONS; i++) {
            for (int looks = 0; before + i - completed >= AHEAD; looks++) {
                Spin.turn(looks);
            }
            link.left.queuePair.postSend(request, 1);
        }
        poller.await();
        return OPERATIONS;
    }

    @Override
    public void close() {
        poller.close();
        link.close();
    }
}
