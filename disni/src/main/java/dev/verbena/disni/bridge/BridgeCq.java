// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvCQ;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

final class BridgeCq extends IbvCQ {
    private final CompletionQueue queue;
    private final @Nullable BridgeCompChannel announcements;

    BridgeCq(BridgeContext device, @Nullable BridgeCompChannel announcements, CompletionQueue queue)
            throws IOException {
        super(device, announcements, Numbers.next());
        this.queue = queue;
        this.announcements = announcements;
        handle = Numbers.next();
        cqe = queue.capacity();
        if (announcements != null) {
            announcements.queueAdded();
        }
    }

    CompletionQueue queue() {
        return queue;
    }

    void destroy() throws VerbsException {
        queue.close();
        close();
        if (announcements != null) {
            announcements.queueRemoved();
        }
    }
}
