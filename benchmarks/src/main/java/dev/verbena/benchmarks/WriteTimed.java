// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.SendRequests;

/** Measures RDMA WRITEs in batches, with several batches in flight. */
final class WriteTimed implements Timed {
    private static final int BATCHES = 64;

    private final Ends ends;
    private final Link.End from;
    private final SendRequests requests;
    private final int underWay;

    /**
     * Each batch has a given number of WRITEs of a given length, the last one signaled, and a given number of batches is in
     * flight. Closing a {@code WriteTimed} also closes {@code ends}.
     */
    WriteTimed(Ends ends, int bytes, int batch, int underWay) {
        this.ends = ends;
        this.underWay = underWay;
        from = ends.left();
        requests = ends.writes(from.queuePair, bytes, batch);
    }

    @Override
    public int run() {
        int batch = requests.capacity();
        for (int i = 0; i < BATCHES; i++) {
            if (from.queuePair.postSend(requests, batch) != batch) {
                throw new IllegalStateException("not all could be posted: " + requests.refusal());
            }
            if (i >= underWay - 1) {
                from.awaitSend();
            }
        }
        for (int i = 1; i < underWay; i++) {
            from.awaitSend();
        }
        return BATCHES * batch;
    }

    @Override
    public void close() {
        ends.close();
    }
}
