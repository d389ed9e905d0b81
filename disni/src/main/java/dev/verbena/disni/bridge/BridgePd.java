// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvPd;
import dev.verbena.verbs.ProtectionDomain;
import java.io.IOException;

final class BridgePd extends IbvPd {
    private final BridgeContext device;
    private final ProtectionDomain domain;

    BridgePd(BridgeContext device, ProtectionDomain domain) throws IOException {
        super(device);
        this.device = device;
        this.domain = domain;
        handle = Numbers.next();
    }

    BridgeContext device() {
        return device;
    }

    ProtectionDomain domain() {
        return domain;
    }
}
