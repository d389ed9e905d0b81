// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvCompChannel;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;

/**
 * A completion channel. DiSNI programs destroy the channel before its queues, so the close of the last queue closes the
 * provider's channel.
 */
final class BridgeCompChannel extends IbvCompChannel {
    private final CompletionChannel channel;
    private int queues;

    BridgeCompChannel(BridgeContext context, CompletionChannel channel) throws IOException {
        super(Numbers.next(), context);
        this.channel = channel;
    }

    CompletionChannel channel() {
        return channel;
    }

    synchronized void queueAdded() {
        queues++;
    }

    synchronized void queueRemoved() throws VerbsException {
        queues--;
        closeUnused();
    }

    synchronized void destroy() throws VerbsException {
        close();
        closeUnused();
    }

    private void closeUnused() throws VerbsException {
        if (!isOpen() && queues == 0) {
            channel.close();
        }
    }
}
