// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.MemoryRegion;
import java.util.Objects;

/**
 * A piece of registered memory in a {@linkplain PlainSendRequests plain} work request ({@code struct ibv_sge}).
 *
 * @param address the first byte, as local requests address the region of the key, 64 bits unsigned
 * @param length bytes
 * @param lkey the key of the region
 * @since 1.0
 */
public record ScatterGatherEntry(long address, long length, int lkey) {
    /** A part of a region; an IndexOutOfBoundsException if the part is not inside the region. */
    static ScatterGatherEntry of(MemoryRegion region, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, region.length());
        return new ScatterGatherEntry(region.address() + offset, length, region.lkey());
    }
}
