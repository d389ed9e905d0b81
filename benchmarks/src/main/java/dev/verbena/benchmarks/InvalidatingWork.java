// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;

/**
 * A SEND with Invalidate of the R_Key of the peer's fast registration. Before each SEND, the peer posts a REG_MR with a new
 * R_Key.
 */
final class InvalidatingWork implements Work {
    private final Link link = new Link(PostedWork.MEMORY);
    private final FastPage page;
    private final SendRequests send;
    private final SendRequests register;
    private final ReceiveRequests receive;
    private final int bytes;

    InvalidatingWork(int bytes) throws VerbsException {
        this.bytes = bytes;
        page = new FastPage(link.right);
        send = link.left.queuePair.newSendRequests(1);
        register = link.right.queuePair.newSendRequests(1);
        receive = link.right.queuePair.newReceiveRequests(1);
        receive.get(0).clear().sge(link.right.region, 0, PostedWork.MEMORY);
    }

    @Override
    public void run() {
        int key = page.nextKey();
        link.right.queuePair.postReceive(receive, 1);
        page.region().registerBy(register.get(0), key, FastPage.ACCESS).signaled();
        link.right.queuePair.postSend(register, 1);
        link.right.awaitSend();
        send.get(0).sendWithInvalidate(key).signaled().sge(link.left.region, 0, bytes);
        link.left.queuePair.postSend(send, 1);
        link.left.awaitSend();
        link.right.awaitReceive();
    }

    @Override
    public void close() {
        link.close();
    }
}
