// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The guarantee that a region's memory segment stays allocated until the region is closed. The application must pass a
 * {@code MemoryLifetime} for a segment, because no public method of Java shows whether the segment's arena can be closed.
 *
 * @since 1.0
 */
public enum MemoryLifetime {
    /**
     * The segment belongs to a {@link VerbsArena}, created by {@link Device#newArena()} of any device. Closing a {@link
     * VerbsArena} fails with {@code EBUSY} while a region covers memory of the arena.
     */
    VERBS_ARENA,
    /**
     * Only the garbage collector frees the memory of a segment, and only after the segment has become unreachable. Direct
     * buffers, mapped buffers, and the memory of automatic arenas and of the global arena have the lifetime guarantee
     * {@code REACHABLE}. The region keeps the segment reachable until the region is closed. If an application declares
     * {@code REACHABLE} but closes the memory's arena, a later access has the effects listed at {@link #CALLER_KEEPS_ALIVE}.
     */
    REACHABLE,
    /**
     * Until the region is closed, the application must keep the segment's arena open, and must not shorten a mapped file.
     *
     * <p>On the software device, a local work request that accesses freed memory completes with LOC_PROT_ERR, and an RC
     * peer's work request with REM_ACCESS_ERR. The diagnosis of the completion reports the cause. A hardware device still
     * accesses pinned pages of a region after the application has freed the memory. Freed pages that the device still
     * accesses may contain other data of the process. An on-demand-paging (ODP) region ({@link AccessFlag#ON_DEMAND}) pins
     * no page. A work request that accesses freed memory of an ODP region completes in error unless other memory is mapped
     * at the virtual address. The provider {@code ibverbs} refuses posts that use a region with freed memory ({@link
     * PostRefusal#MEMORY_CLOSED}). On a hardware device, closing a region with freed memory deregisters the region and then
     * throws {@code EFAULT}. If other code frees a segment made from a raw address ({@link
     * java.lang.foreign.MemorySegment#reinterpret}), the behavior is undefined, as in C.
     */
    CALLER_KEEPS_ALIVE
}
