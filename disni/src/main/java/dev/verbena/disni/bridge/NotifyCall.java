// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.SVCReqNotify;
import dev.verbena.verbs.Notification;
import java.io.IOException;

final class NotifyCall extends SVCReqNotify {
    private final BridgeCq queue;
    private final Notification kind;
    private boolean valid = true;

    NotifyCall(BridgeCq queue, Notification kind) {
        this.queue = queue;
        this.kind = kind;
    }

    @Override
    public SVCReqNotify execute() throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_req_notify_cq");
        }
        try {
            queue.queue().requestNotification(kind);
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCReqNotify free() {
        valid = false;
        return this;
    }
}
