// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A region of {@link FmrRegistration}. Only one thread at a time may map pages by {@link #map}.
 *
 * @since 1.0
 */
public interface FmrRegion extends MemoryRegion {
    /**
     * Maps this FMR to the given pages. The call changes the lkey and the rkey of the FMR.
     *
     * @param pages page-aligned memory segments of one or more pages, from arenas of this device; mapping one long
     *     segment is faster than mapping several segments of one page
     * @param iova the page-aligned address by which peers access the first byte of {@code pages}
     * @throws VerbsException {@code EINVAL} if a memory segment does not consist of whole pages, if {@code iova} is not
     *     page-aligned, or if there are too many pages; {@code EBUSY} if the region was mapped too often since the last
     *     {@link FmrRegistration#unmap}
     */
    void map(List<MemorySegment> pages, long iova) throws VerbsException;
}
