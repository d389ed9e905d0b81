package dev.verbena.benchmarks;

import dev.verbena.verbs.SendRequests;

/** RDMA WRITEs in batches, each batch until its last one has completed. */
final class WriteTimed implements Timed {
    private static final int BATCHES = 16;

    private final Link link;
    private final SendRequests requests;

    WriteTimed(Link link, int bytes, int batch) {
        this.link = link;
        requests = link.writes(link.left.queuePair, bytes, batch);
    }

    @Override
    public int run() {
        int batch = requests.capacity();
        for (int i = 0; i < BATCHES; i++) {
            link.left.queuePair.postSend(requests, batch);
            link.left.awaitSend();
        }
        return BATCHES * batch;
    }

    @Override
    public void close() {
        link.close();
    }
}
