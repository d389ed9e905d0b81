// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.util.Set;

/** {@link #run()} binds a type 2 memory window with a new R_Key, then invalidates this R_Key. */
final class BindingWork implements Work {
    private final Link link = new Link(PostedWork.MEMORY);
    private final MemoryWindow window;
    private final MemoryWindowBinding binding;
    private final SendRequests requests;
    private int rkey;

    BindingWork(int bytes) throws VerbsException {
        window = link.left.keep(link.left.domain.allocateMw(MemoryWindowType.TYPE_2));
        binding = new MemoryWindowBinding(link.left.region, 0, bytes, Set.of(AccessFlag.REMOTE_WRITE));
        requests = link.left.queuePair.newSendRequests(2);
        rkey = window.rkey();
    }

    @Override
    public void run() {
        rkey = RemoteKey.increment(rkey);
        requests.get(0).bindMemoryWindow(window, rkey, binding);
        requests.get(1).localInvalidate(rkey).signaled();
        link.left.queuePair.postSend(requests, 2);
        link.left.awaitSend();
    }

    @Override
    public void close() {
        link.close();
    }
}
