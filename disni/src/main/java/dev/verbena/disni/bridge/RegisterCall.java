// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCRegMr;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A stateful verb call of DiSNI that registers memory; the memory region remains available after the program has freed
 * the stateful verb call.
 */
final class RegisterCall extends SVCRegMr {
    private final BridgePd domain;
    private final MrInitAttributes.Builder memory;
    private final int access;
    private @Nullable BridgeMr made;
    private boolean valid = true;

    RegisterCall(BridgePd domain, MrInitAttributes.Builder memory, int access) {
        this.domain = domain;
        this.memory = memory;
        this.access = access;
    }

    @Override
    public SVCRegMr execute() throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_reg_mr");
        }
        MemoryRegion region = Calls.get(() -> domain.domain()
                .registerMemory(memory.access(AccessFlag.ofMask(access)).build()));
        made = new BridgeMr(domain, region, access);
        return this;
    }

    @Override
    public @Nullable IbvMr getMr() {
        return made;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCRegMr free() {
        valid = false;
        return this;
    }
}
