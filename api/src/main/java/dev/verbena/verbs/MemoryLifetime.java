// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The guarantee that the memory of a region stays allocated while the region is open. The program must pass a {@code
 * MemoryLifetime} for a segment, because no public method of Java shows whether the segment's arena can be closed.
 *
 * @since 1.0
 */
public enum MemoryLifetime {
    /**
     * The segment belongs to a {@link VerbsArena}; any open device may have created the arena. Closing a {@link VerbsArena}
     * fails with {@code EBUSY} while a region covers memory of the arena.
     */
    VERBS_ARENA,
    /**
     * Only the garbage collector frees the memory of a segment, and only after the segment has become unreachable. Direct
     * buffers, mapped buffers, and the memory of automatic arenas and of the global arena have the lifetime {@code
     * REACHABLE}. The region keeps the segment reachable until the region is closed. If a program declares {@code
     * REACHABLE} but closes the memory's arena, a later access has the effects listed at {@link #CALLER_KEEPS_ALIVE}.
     */
    REACHABLE,
    /**
     * Until the region is closed, the program must keep the arena of the segment open, and must not shorten a mapped file.
     *
     * <p>On the software device, a request that accesses freed memory completes with LOC_PROT_ERR, or with REM_ACCESS_ERR
     * if the request is from a peer. The explanation of the completion names the cause. A hardware device still accesses
     * pinned pages of a region after the program has freed the memory. Freed pages that the device still accesses may
     * contain other data of the process. A region with {@link AccessFlag#ON_DEMAND} pins no page. In an on-demand region, a
     * request to freed memory completes in error if no other memory is mapped at the address. The provider {@code ibverbs}
     * refuses posts that use a region with freed memory ({@link PostRefusal#MEMORY_CLOSED}). On a hardware device, closing
     * a region with freed memory ends the registration and then throws {@code EFAULT}. If other code frees a segment made
     * from a raw address ({@link java.lang.foreign.MemorySegment#reinterpret}), the behavior is undefined, as in C.
     */
    CALLER_KEEPS_ALIVE
}
