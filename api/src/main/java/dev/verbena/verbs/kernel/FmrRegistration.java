// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.Set;

/**
 * Fast memory regions as in kernels before 5.8: a function call and not a work request maps the memory ({@code ib_alloc_fmr},
 * {@code ib_map_phys_fmr}, {@code ib_unmap_fmr}).
 *
 * @since 1.0
 */
public interface FmrRegistration extends DeviceExtension {
    /**
     * Allocates a region that covers no memory yet.
     *
     * @param domain the protection domain of the region
     * @param maxPages the maximum number of pages that one FMR mapping covers
     * @param access the access rights that every mapping grants
     * @return a new region
     * @throws VerbsException {@code EINVAL} if {@code maxPages} is out of range; {@code ENOMEM} if the device has no
     *     further FMR
     */
    FmrRegion allocate(ProtectionDomain domain, int maxPages, Set<AccessFlag> access) throws VerbsException;

    /**
     * Ends the mappings of several regions in one flush; after this method returns, their keys are invalid.
     *
     * @param regions the regions
     * @throws VerbsException if the device refuses
     */
    void unmap(List<FmrRegion> regions) throws VerbsException;
}
