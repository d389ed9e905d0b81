// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.RdmaCmEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A CM event for a DiSNI program. This object contains no reference to the provider's {@code CmEvent}. */
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
