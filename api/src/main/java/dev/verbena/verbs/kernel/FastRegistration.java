// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;

/**
 * Registration by work requests, as kernel consumers do by {@code ib_alloc_mr}, {@code ib_map_mr_sg} and
 * {@code IB_WR_REG_MR}.
 *
 * <p>Allocate a region once; then, as often as needed: map memory, post REG_MR with the next key, use it, post
 * LOCAL_INV.
 *
 * @since 1.0
 */
public interface FastRegistration extends DeviceExtension {
    /**
     * Allocates a region that covers nothing yet.
     *
     * @param domain the domain it belongs to
     * @param maxPages how many pages a mapping may need, 1 to {@link DeviceAttributes#maxFastRegPageListLength()}
     * @param gaps whether the memory may have holes inside ({@code IB_MR_TYPE_SG_GAPS})
     * @return a new region, not valid until it is mapped and REG_MR was executed
     * @throws VerbsException {@code EINVAL} when out of range; {@link CapabilityException} for gaps without {@link
     *     Capability#FAST_REGISTRATION_GAPS}
     */
    FastRegistrationRegion allocate(ProtectionDomain domain, int maxPages, boolean gaps) throws VerbsException;
}
