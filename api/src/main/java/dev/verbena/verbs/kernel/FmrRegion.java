// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A region of {@link FmrRegistration}. Only one thread at a time may call #map.
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
     * @throws VerbsException {@code EINVAL} for pieces that do not consist of whole pages, or for too many pages; {@code EBUSY}
     *     after too many mappings without {@link FmrRegistration#unmap}
     */
    void map(List<MemorySegment> pages, long iova) throws VerbsException;
}
