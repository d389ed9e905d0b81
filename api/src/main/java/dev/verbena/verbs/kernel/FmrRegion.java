// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A region of {@link FmrRegistration}. Only one thread at a time may call {@link #map}.
 *
 * @since 1.0
 */
public interface FmrRegion extends MemoryRegion {
    /**
     * Maps pages, which changes the lkey and rkey of the region.
     *
     * @param pages page-aligned pieces of one or more pages, from arenas of this device; one long piece is faster than several
     *     pieces of one page
     * @param iova the page-aligned address of the first byte for peers
     * @throws VerbsException {@code EINVAL} if a piece does not consist of whole pages, if {@code iova} is not
     *     page-aligned, or if there are too many pages; {@code EBUSY} if the region was mapped too often since the last
     *     {@link FmrRegistration#unmap}
     */
    void map(List<MemorySegment> pages, long iova) throws VerbsException;
}
