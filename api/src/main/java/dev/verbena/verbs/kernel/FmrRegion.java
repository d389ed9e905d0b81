// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A region of {@link FmrRegistration}. Mapping is for one thread at a time.
 *
 * @since 1.0
 */
public interface FmrRegion extends MemoryRegion {
    /**
     * Maps pages; lkey and rkey are new afterwards.
     *
     * @param pages page-aligned pieces of one page or of several, from arenas of this device; a long piece is the same as its pages
     *     one by one, and quicker
     * @param iova the address by which a peer names the first byte; page-aligned
     * @throws VerbsException {@code EINVAL} for pieces that are not pages, or too many pages; {@code EBUSY} after too many mappings
     *     without {@link FmrRegistration#unmap}
     */
    void map(List<MemorySegment> pages, long iova) throws VerbsException;
}
