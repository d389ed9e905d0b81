// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

/**
 * The parameters of pools of registrations.
 *
 * @param size the number of registrations of one pool; for a cache, the most regions
 * @param flushTrigger the number of released FMRs that are unmapped together
 * @param cache whether an FMR that is still mapped to the needed pages is reused
 * @param gaps whether fast registration of page lists with gaps is used
 * @param invalidateOnRelease whether the peer's key is invalidated when the RDMA transfer ends
 */
public record PoolParameters(int size, int flushTrigger, boolean cache, boolean gaps, boolean invalidateOnRelease) {}
