// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvMr;
import dev.verbena.verbs.MemoryRegion;
import java.io.IOException;

/** A memory region, which reports the provider's rkey as its lkey and as its rkey. */
final class BridgeMr extends IbvMr {
    private final BridgePd domain;
    private final MemoryRegion region;

    BridgeMr(BridgePd domain, MemoryRegion region, int access) throws IOException {
        super(
                domain.device(),
                region.address(),
                (int) region.length(),
                access,
                region.rkey(),
                region.rkey(),
                Numbers.next());
        this.domain = domain;
        this.region = region;
        domain.device().addKeys(region.rkey(), region.lkey());
    }

    void deregister() throws IOException {
        if (!isOpen()) {
            throw Calls.destroyed("ibv_dereg_mr", "the memory region");
        }
        // The device forgets the region's keys before the region is closed, because the keys of a closed region may be
        // assigned to another region at once.
        domain.device().removeKeys(region.rkey());
        Calls.run(region::close);
        close();
        Calls.run(domain.closing()::retry);
    }
}
