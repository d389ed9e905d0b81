// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.FastMemory;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.util.List;

/** Creates regions for REG_MR: {@code ib_alloc_mr}. */
record SimFastRegistration(Registrar registrar) implements FastRegistration {
    @Override
    public FastRegistrationRegion allocate(ProtectionDomain domain, int maxPages, boolean gaps) throws VerbsException {
        String verb = "ib_alloc_mr";
        RegistrationRules rules = new RegistrationRules(registrar, verb);
        if (gaps) {
            registrar.device().require(Capability.FAST_REGISTRATION_GAPS, verb);
        }
        Children siblings = rules.childrenOf(domain);
        int limit = registrar.device().attributes().maxFastRegPageListLength();
        if (maxPages < 1 || maxPages > limit) {
            throw rules.refuse(Errno.EINVAL, "maxPages " + maxPages + " is not in 1.." + limit);
        }
        FastMemory registered = registrar.table().allocateFast(domain);
        if (registered == null) {
            throw rules.full();
        }
        SimFastRegistrationRegion region =
                new SimFastRegistrationRegion(domain, siblings, registrar, registered, maxPages, gaps);
        region.adopt(List.of(), verb);
        return region;
    }
}
