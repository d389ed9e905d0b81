// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Objects;

/**
 * A range of registered memory ({@code struct ibv_sge}). The L_Key identifies the region that contains the range.
 *
 * @param address the address of the first byte of the range; the first byte of the region has the address
 *     {@link MemoryRegion#address()}
 * @param length the length in bytes, 0 to 2^32 - 1
 * @param lkey the L_Key of the region
 * @since 1.0
 */
public record MrRange(long address, long length, int lkey) {
    private static final long MAX_LENGTH = 0xFFFF_FFFFL;

    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if the length is negative or exceeds 2^32 - 1
     */
    public MrRange {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("length is " + length + "; it must be 0 to " + MAX_LENGTH);
        }
    }

    /**
     * Returns a range of a region.
     *
     * @param region the region
     * @param offset the offset of the range in the region, in bytes
     * @param length the length in bytes, 0 to 2^32 - 1
     * @return the range
     * @throws IndexOutOfBoundsException if a byte of the range is outside the region
     */
    public static MrRange of(MemoryRegion region, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, region.length());
        return new MrRange(region.address() + offset, length, region.lkey());
    }
}
