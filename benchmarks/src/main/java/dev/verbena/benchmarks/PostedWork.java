// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;

/** A send work request that is initialized once and posted repeatedly, and the receive request that it consumes, if any. */
final class PostedWork implements Work {
    /** The size of each queue pair's registered buffer, in bytes. */
    static final long MEMORY = 1 << 16;

    private static final int RECEIVES = 16;

    private final Link link;
    private final SendRequests send;
    private final ReceiveRequests receive;
    private final boolean received;

    PostedWork(Link link, boolean received, Work.Filler filler) throws VerbsException {
        this.link = link;
        this.received = received;
        send = link.left.queuePair.newSendRequests(1);
        filler.fill(send, link);
        receive = link.right.queuePair.newReceiveRequests(1);
        receive.get(0).clear().sge(link.right.region, 0, MEMORY);
        for (int i = 0; received && i < RECEIVES; i++) {
            link.right.queuePair.postReceive(receive, 1);
        }
    }

    @Override
    public void run() {
        link.left.queuePair.postSend(send, 1);
        link.left.awaitSend();
        if (received) {
            link.right.awaitReceive();
            link.right.queuePair.postReceive(receive, 1);
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
