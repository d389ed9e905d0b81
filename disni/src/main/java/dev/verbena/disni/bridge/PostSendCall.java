// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.List;

/** A batch of send requests, which a program creates once and can post many times. Not thread-safe. */
final class PostSendCall extends SVCPostSend {
    private final BridgeQp queuePair;
    private final SendRecord[] records;
    private final SendRequests requests;
    private volatile boolean valid = true;

    PostSendCall(BridgeQp queuePair, List<IbvSendWR> list) throws IOException {
        this.queuePair = queuePair;
        records = list.stream().map(SendRecord::new).toArray(SendRecord[]::new);
        requests = Calls.get(() -> queuePair.queuePair().newSendRequests(Math.max(1, records.length)));
    }

    @Override
    public SVCPostSend execute() throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_post_send");
        }
        for (int index = 0; index < records.length; index++) {
            records[index].update(requests.get(index), queuePair.device());
        }
        try {
            queuePair.queuePair().postAll(requests, records.length);
        } catch (VerbsException | IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
        return this;
    }

    @Override
    public SendWRMod getWrMod(int index) throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_post_send");
        }
        return records[index];
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostSend free() {
        valid = false;
        return this;
    }
}
