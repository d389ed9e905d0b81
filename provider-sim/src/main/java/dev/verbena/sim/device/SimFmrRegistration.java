// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.FmrMemory;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Creates and unmaps FMRs, like the kernel functions {@code ib_alloc_fmr} and {@code ib_unmap_fmr}. */
record SimFmrRegistration(Registrar registrar) implements FmrRegistration {
    /** The limit of ConnectX-3. A buffer of 1 MiB at an arbitrary offset needs at most 257 pages of 4096 bytes. */
    static final int MAX_PAGES = 512;

    private static final Set<AccessFlag> GRANTABLE = EnumSet.of(
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_ATOMIC,
            AccessFlag.RELAXED_ORDERING);

    @Override
    public FmrRegion allocate(ProtectionDomain domain, int maxPages, Set<AccessFlag> access) throws VerbsException {
        String verb = "ib_alloc_fmr";
        RegistrationRules rules = new RegistrationRules(registrar, verb);
        Children siblings = rules.childrenOf(domain);
        if (maxPages < 1 || maxPages > MAX_PAGES) {
            throw rules.refuse(Errno.EINVAL, "maxPages " + maxPages + " is not in 1.." + MAX_PAGES);
        }
        if (!GRANTABLE.containsAll(access)) {
            throw rules.refuse(Errno.EINVAL, "an FMR can grant only " + GRANTABLE + ", not " + access);
        }
        rules.checkAccess(access);
        FmrMemory registered = registrar.table().allocateFmr(domain, AccessFlag.maskOf(access));
        if (registered == null) {
            throw rules.full();
        }
        SimFmrRegion region = new SimFmrRegion(domain, siblings, registrar, registered, maxPages, access);
        region.adopt(List.of(), verb);
        return region;
    }

    @Override
    public void unmap(List<FmrRegion> regions) throws VerbsException {
        RegistrationRules rules = new RegistrationRules(registrar, "ib_unmap_fmr");
        List<SimFmrRegion> all = new ArrayList<>();
        for (FmrRegion region : regions) {
            if (!(region instanceof SimFmrRegion own) || !own.device().equals(registrar.device())) {
                throw rules.refuse(
                        Errno.EINVAL,
                        region + " is not an FMR of device "
                                + registrar.device().name());
            }
            all.add(own);
        }
        all.forEach(SimFmrRegion::unmap);
    }
}
