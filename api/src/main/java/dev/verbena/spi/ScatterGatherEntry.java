// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.MemoryRegion;
import java.util.Objects;

/**
 * A scatter/gather entry ({@code struct ibv_sge}): registered memory of a work request in {@link PlainSendRequests} or
 * {@link PlainReceiveRequests}.
 *
 * @param address the address of the first byte, 64 bits unsigned, in the address range of the region that has the L_Key
 * @param length the length in bytes
 * @param lkey the L_Key of the region
 * @since 1.0
 */
public record ScatterGatherEntry(long address, long length, int lkey) {
    /**
     * Creates an entry for {@code length} bytes of a region; throws IndexOutOfBoundsException if the region does not
     * contain them.
     */
    static ScatterGatherEntry of(MemoryRegion region, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, region.length());
        return new ScatterGatherEntry(region.address() + offset, length, region.lkey());
    }
}
