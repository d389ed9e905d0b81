// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.SVCDeregMr;
import java.io.IOException;

/**
 * A stateful verb call of DiSNI for {@code ibv_dereg_mr}. If the application frees the stateful verb call before
 * {@link #execute}, the memory region stays registered.
 */
final class DeregisterCall extends SVCDeregMr {
    private final BridgeMr region;
    private boolean valid = true;

    DeregisterCall(BridgeMr region) {
        this.region = region;
    }

    @Override
    public SVCDeregMr execute() throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_dereg_mr");
        }
        region.deregister();
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCDeregMr free() {
        valid = false;
        return this;
    }
}
