// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

/**
 * The parameters of the pools that contain registrations.
 *
 * @param size the number of registrations in one pool; for a cache, the maximum number of regions
 * @param flushTrigger the number of dirty FMRs (mapped 32 times) at which the node unmaps these FMRs
 * @param cache whether an FMR that still maps the needed pages is reused
 * @param gaps whether page lists with gaps use fast registration
 * @param invalidateOnRelease whether the end of an RDMA transfer invalidates the peer's key
 */
public record PoolParameters(int size, int flushTrigger, boolean cache, boolean gaps, boolean invalidateOnRelease) {}
