// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvCompChannel;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.List;

/**
 * A completion channel. The provider's channel stays open until the last completion queue of the channel is closed,
 * because DiSNI programs destroy the channel first.
 */
final class BridgeCompChannel extends IbvCompChannel {
    private final CompletionChannel channel;
    private final DeferredClose closing;

    BridgeCompChannel(BridgeContext context, CompletionChannel channel) throws IOException {
        super(Numbers.next(), context);
        this.channel = channel;
        closing = new DeferredClose(channel::close, List.of());
    }

    CompletionChannel channel() {
        return channel;
    }

    DeferredClose closing() {
        return closing;
    }

    void destroy() throws VerbsException {
        close();
        closing.request();
    }
}
