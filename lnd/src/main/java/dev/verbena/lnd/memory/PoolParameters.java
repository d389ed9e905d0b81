// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

/**
 * The parameters of the pools of memory regions and memory windows.
 *
 * @param size the number of memory regions or memory windows in one pool; for a cache, the maximum number of memory regions
 * @param flushTrigger the number of dirty FMRs (mapped 32 times) at which the node unmaps these FMRs
 * @param cache whether an FMR that still maps the needed pages is reused
 * @param gaps whether page lists with gaps use fast registration
 * @param invalidateOnRelease whether the node invalidates the peer's R_Key after an RDMA transfer
 */
public record PoolParameters(int size, int flushTrigger, boolean cache, boolean gaps, boolean invalidateOnRelease) {}
