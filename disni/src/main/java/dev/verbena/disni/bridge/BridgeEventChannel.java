// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.verbena.cm.EventChannel;
import java.io.IOException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** An event channel with its open connection ids. The DiSNI bridge adds its own CM events to the provider's CM events. */
final class BridgeEventChannel extends RdmaEventChannel {
    private final EventChannel channel;
    private final Set<BridgeId> ids = ConcurrentHashMap.newKeySet();
    private final Queue<BridgeEvent> added = new ConcurrentLinkedQueue<>();

    BridgeEventChannel(EventChannel channel) throws IOException {
        super(Numbers.next());
        this.channel = channel;
    }

    EventChannel channel() {
        return channel;
    }

    Set<BridgeId> ids() {
        return ids;
    }

    void add(BridgeEvent event) {
        added.add(event);
    }

    /** Returns the next CM event that this DiSNI bridge has added and whose connection id is still open. */
    @Nullable RdmaCmEvent nextAdded() {
        for (BridgeEvent event = added.poll(); event != null; event = added.poll()) {
            if (event.id().isOpen()) {
                return event;
            }
        }
        return null;
    }
}
