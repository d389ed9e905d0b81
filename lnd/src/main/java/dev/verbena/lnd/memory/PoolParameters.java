// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

/**
 * Parameters of pools of registrations.
 *
 * @param size registrations of one pool; of the cache, the most regions
 * @param flushTrigger FMRs that are unmapped together
 * @param cache whether an FMR that stayed mapped to the same pages is used as it is
 * @param gaps whether fast registration takes lists with holes
 * @param invalidateOnRelease whether the peer's key dies when the transfer ends
 */
public record PoolParameters(int size, int flushTrigger, boolean cache, boolean gaps, boolean invalidateOnRelease) {}
