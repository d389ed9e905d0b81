// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvCQ;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class BridgeCq extends IbvCQ {
    private final CompletionQueue queue;
    private final DeferredClose closing;

    BridgeCq(BridgeContext device, @Nullable BridgeCompChannel announcements, CompletionQueue queue)
            throws IOException {
        super(device, announcements, Numbers.next());
        this.queue = queue;
        closing = new DeferredClose(queue::close, announcements == null ? List.of() : List.of(announcements.closing()));
        handle = Numbers.next();
        cqe = queue.capacity();
    }

    CompletionQueue queue() {
        return queue;
    }

    DeferredClose closing() {
        return closing;
    }

    void destroy() throws VerbsException {
        close();
        closing.request();
    }
}
