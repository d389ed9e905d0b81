// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvPd;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.List;

final class BridgePd extends IbvPd {
    private final BridgeContext device;
    private final ProtectionDomain domain;
    private final DeferredClose closing;

    BridgePd(BridgeContext device, ProtectionDomain domain) throws IOException {
        super(device);
        this.device = device;
        this.domain = domain;
        handle = Numbers.next();
        closing = new DeferredClose(domain::close, List.of());
    }

    BridgeContext device() {
        return device;
    }

    ProtectionDomain domain() {
        return domain;
    }

    DeferredClose closing() {
        return closing;
    }

    void destroy() throws VerbsException {
        close();
        closing.request();
    }
}
