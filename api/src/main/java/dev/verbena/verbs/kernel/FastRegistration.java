// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;

/**
 * Registration by work requests, as kernel consumers register by {@code ib_alloc_mr}, {@code ib_map_mr_sg} and
 * {@code IB_WR_REG_MR}.
 *
 * <p>A program allocates a region once. For each use, the program maps memory, posts REG_MR with the next key, uses the region,
 * and posts LOCAL_INV.
 *
 * @since 1.0
 */
public interface FastRegistration extends DeviceExtension {
    /**
     * Allocates a region that covers no memory yet.
     *
     * @param domain the protection domain of the region
     * @param maxPages the maximum number of pages of a mapping, 1 to {@link DeviceAttributes#maxFastRegPageListLength()}
     * @param gaps whether the mapped memory segments may start and end at any address ({@code IB_MR_TYPE_SG_GAPS})
     * @return a new region, which is not valid until memory is mapped and a REG_MR is executed
     * @throws VerbsException {@code EINVAL} if the number of pages is out of range; {@link CapabilityException} for gaps without
     *     {@link Capability#FAST_REGISTRATION_GAPS}
     */
    FastRegistrationRegion allocate(ProtectionDomain domain, int maxPages, boolean gaps) throws VerbsException;
}
