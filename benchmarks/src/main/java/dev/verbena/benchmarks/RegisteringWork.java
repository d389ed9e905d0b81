// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;

/** The benchmark that registers a page under a new memory key (REG_MR), and then invalidates this key (LOCAL_INV). */
final class RegisteringWork implements Work {
    private final Link link = new Link(PostedWork.MEMORY);
    private final FastPage page;
    private final SendRequests requests;

    RegisteringWork() throws VerbsException {
        page = new FastPage(link.left);
        requests = link.left.queuePair.newSendRequests(2);
    }

    @Override
    public void run() {
        int key = page.nextKey();
        page.region().registerBy(requests.get(0), key, FastPage.ACCESS);
        requests.get(1).localInvalidate(key).signaled();
        link.left.queuePair.postSend(requests, 2);
        link.left.awaitSend();
    }

    @Override
    public void close() {
        link.close();
    }
}
