// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.RdmaCmEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An event with its status. The provider's event was already acknowledged before this event was created. */
final class BridgeEvent extends RdmaCmEvent {
    private final BridgeId id;

    BridgeEvent(int type, int status, @Nullable BridgeId listener, BridgeId id) throws IOException {
        super(type, listener, id);
        this.id = id;
        this.status = status;
    }

    BridgeId id() {
        return id;
    }
}
