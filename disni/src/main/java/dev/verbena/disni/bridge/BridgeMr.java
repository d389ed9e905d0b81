// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvMr;
import dev.verbena.verbs.MemoryRegion;
import java.io.IOException;

/** A memory region, whose two keys are both the provider's rkey. */
final class BridgeMr extends IbvMr {
    private final BridgeContext device;
    private final MemoryRegion region;

    BridgeMr(BridgeContext device, MemoryRegion region, int access) throws IOException {
        super(device, region.address(), (int) region.length(), access, region.rkey(), region.rkey(), Numbers.next());
        this.device = device;
        this.region = region;
        device.addKeys(region.rkey(), region.lkey());
    }

    void deregister() throws IOException {
        if (!isOpen()) {
            throw Calls.destroyed("ibv_dereg_mr", "the memory region");
        }
        // The keys are removed before the close, because the device may give them to another region right after the
        // close.
        device.removeKeys(region.rkey());
        Calls.run(region::close);
        close();
    }
}
