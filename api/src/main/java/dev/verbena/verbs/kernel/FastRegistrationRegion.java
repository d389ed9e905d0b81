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
 * A memory region of {@link FastRegistration}. {@link #map} and {@link #registerBy} are for one thread at a time.
 *
 * <p>The getters return the values that a kernel consumer has in its {@code struct ib_mr}. The values of {@link #address()}
 * and {@link #length()} are from the last mapping. Each call of {@link #registerBy} immediately changes the values of
 * {@link #rkey()}, {@link #lkey()} and {@link #access()}, before the device executes the REG_MR. A batch can contain a
 * REG_MR and, after it, work requests with the new key of the region. For each access, the device checks the key, the range
 * and the rights of the last executed REG_MR.
 *
 * @since 1.0
 */
public interface FastRegistrationRegion extends MemoryRegion {
    /**
     * Maps the memory that the next REG_MR will cover ({@code ib_map_mr_sg}).
     *
     * <p>In a region without gaps between the memory segments, every segment except the first must start on a page
     * boundary. Every memory segment except the last must end on a page boundary. Two segments with contiguous addresses
     * may meet at any address. In a region that was created with gaps ({@code IB_MR_TYPE_SG_GAPS}), memory segments may
     * start and end at any address, and each segment counts as one page. A call of {@code map} has no effect on a
     * registration that is already valid. Until a work request invalidates the registration, peers access the previously
     * mapped memory. The region keeps the memory of its old and of its new mapping reachable until the next call of {@code
     * map} or {@code close}. The address of the region is the address of the first memory segment.
     *
     * @param pieces memory segments from arenas of this device, in the order of their addresses in the region
     * @param pageSize the page size in bytes, a power of two, at least 4096
     * @return the number of mapped memory segments. Mapping stops before a segment that would exceed the maximum number of
     *     pages. Mapping also stops between two segments that violate the rules for page boundaries
     * @throws VerbsException {@code EINVAL} if the memory cannot be registered, if the page size is wrong, or if the first
     *     memory segment has too many pages; after {@code EINVAL}, the region keeps its previous mapping
     */
    default int map(List<MemorySegment> pieces, long pageSize) throws VerbsException {
        return map(pieces, pageSize, pieces.isEmpty() ? 0 : pieces.getFirst().address());
    }

    /**
     * Maps the memory that the next REG_MR will cover, and sets {@code iova}, the region's address for peers. A kernel
     * consumer sets {@code iova} after {@code ib_map_mr_sg}. This method differs from {@link #map(List, long)} only in the
     * value of {@code iova}.
     *
     * @param pieces memory segments from arenas of this device, in the order of their addresses in the region
     * @param pageSize the page size in bytes, a power of two, at least 4096
     * @param iova the address by which peers access the region's first byte; {@code iova} and the address of the first
     *     memory segment must be equal modulo the page size
     * @return the number of mapped memory segments
     * @throws VerbsException {@code EINVAL} if {@code iova} and the address of the first memory segment differ modulo the
     *     page size; or an error of {@link #map(List, long)}
     */
    int map(List<MemorySegment> pieces, long pageSize, long iova) throws VerbsException;

    /**
     * Changes a work request to a REG_MR ({@code IB_WR_REG_MR}). When the device executes the REG_MR, the memory segments
     * of the last {@link #map} call become accessible. RC.
     *
     * @param request a send request of a queue pair; the queue pair and the region must have the same protection domain.
     *     {@code registerBy} replaces all previous contents of the request
     * @param key the new L_Key and R_Key of the region: the current key with another low byte
     * @param access the access rights that the region grants
     * @return the request
     * @throws IllegalArgumentException if the request belongs to another provider
     */
    SendWorkRequest registerBy(SendWorkRequest request, int key, Set<AccessFlag> access);
}
