// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs.kernel;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/**
 * A region of {@link FastRegistration}. Mapping and putting it into a REG_MR are for one thread at a time.
 *
 * <p>The getters return the values that a kernel consumer keeps in its {@code struct ib_mr}. For {@link #address()} and
 * {@link #length()} they are those of the last mapping. For {@link #rkey()}, {@link #lkey()} and {@link #access()} they
 * are those of the last {@link #registerBy} that named the region, executed or not. So a program can fill the later
 * requests of the same chain before it posts any of them. The device itself uses the last registration that it
 * executed.
 *
 * @since 1.0
 */
public interface FastRegistrationRegion extends MemoryRegion {
    /**
     * Maps the memory that the next REG_MR will cover ({@code ib_map_mr_sg}).
     *
     * <p>Without gaps every piece except the first must start on a page boundary, and every piece except the last must
     * end on one. A piece that starts right where the piece before it ended needs no boundary there. With gaps pieces
     * may start and end anywhere, and each counts as a page. A valid registration stays valid until it is invalidated.
     * The memory of the old and of the new mapping is kept until the region is mapped again or closed. The address of
     * the region is that of the first piece.
     *
     * @param pieces memory from arenas of this device, in order
     * @param pageSize the size of a page in bytes, a power of two, at least 4096
     * @return how many pieces are covered: less than requested when the rule above or the number of pages ends the list
     * @throws VerbsException {@code EINVAL} for memory that may not be registered, a bad page size, or a first piece
     *     that does not fit; the old mapping stays
     */
    default int map(List<MemorySegment> pieces, long pageSize) throws VerbsException {
        return map(pieces, pageSize, pieces.isEmpty() ? 0 : pieces.getFirst().address());
    }

    /**
     * Maps memory as {@link #map(List, long)}, but with another address of the region, as a kernel consumer that sets
     * {@code iova} after {@code ib_map_mr_sg}.
     *
     * @param pieces memory from arenas of this device, in order
     * @param pageSize the size of a page in bytes, a power of two, at least 4096
     * @param iova the address by which a peer names the first byte; its offset in a page is that of the first piece
     * @return how many pieces are covered
     * @throws VerbsException as {@link #map(List, long)}; {@code EINVAL} for an address with another offset in its page
     */
    int map(List<MemorySegment> pieces, long pageSize, long iova) throws VerbsException;

    /**
     * Makes a work request a REG_MR ({@code IB_WR_REG_MR}), which makes the last mapping of this region valid. RC.
     *
     * @param request a request of a queue pair of the same protection domain; cleared first
     * @param key the key that the region gets: its present one with another low byte
     * @param access the rights that the region grants
     * @return the request
     * @throws IllegalArgumentException for a request of another provider
     */
    SendWorkRequest registerBy(SendWorkRequest request, int key, Set<AccessFlag> access);
}
