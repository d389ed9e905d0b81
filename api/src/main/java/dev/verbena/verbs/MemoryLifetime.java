// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The guarantee that the memory of a region stays allocated while the region is open. The program must declare the lifetime,
 * because no public method of Java shows whether a segment's arena can be closed.
 *
 * @since 1.0
 */
public enum MemoryLifetime {
    /**
     * The segment belongs to a {@link VerbsArena} of any open device. Closing the arena fails with {@code EBUSY} while a region
     * covers a part of the segment.
     */
    VERBS_ARENA,
    /**
     * The garbage collector frees the memory. Direct and mapped buffers and the memory of automatic arenas and of the global
     * arena have this lifetime. The region keeps the segment reachable until the region is closed. If the segment's arena is
     * closed nevertheless, the rules of {@link #CALLER_KEEPS_ALIVE} apply.
     */
    REACHABLE,
    /**
     * Until the region is closed, the program must keep the arena of the segment open, and must not shorten a mapped file.
     *
     * <p>If the memory is freed earlier, the software device completes requests that access the memory with LOC_PROT_ERR, and
     * refuses a peer's requests with REM_ACCESS_ERR. Its explanation names the cause. Hardware still accesses the pinned pages
     * after the memory was freed; the pages may then contain other data of the process. Requests that access freed memory of a
     * region with {@link AccessFlag#ON_DEMAND}, which pins no page, complete in error until other memory has the address. The provider {@code ibverbs} refuses
     * posts that use a region with freed memory ({@link PostRefusal#MEMORY_CLOSED}). Closing a region with freed memory ends the
     * registration and then throws {@code EFAULT}. For a segment of a raw address
     * ({@link java.lang.foreign.MemorySegment#reinterpret}) that other code frees, the behaviour is undefined, as in C.
     */
    CALLER_KEEPS_ALIVE
}
