// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * How a registered segment is kept alive while its region is open. No public method of Java distinguishes a segment that the
 * garbage collector frees from one whose arena can be closed, so the caller states it.
 *
 * @since 1.0
 */
public enum MemoryLifetime {
    /**
     * The segment belongs to a {@link VerbsArena} of any open device. Closing the arena fails with {@code EBUSY} while
     * a region covers a part of it.
     */
    VERBS_ARENA,
    /**
     * The garbage collector frees the memory: direct and mapped buffers, automatic arenas, the global arena. The region
     * holds a reference to the segment until it is closed. If the segment's arena is closed all the same, the rules of
     * {@link #CALLER_KEEPS_ALIVE} apply.
     */
    REACHABLE,
    /**
     * The caller keeps the arena of the segment open, and a mapped file at its length, until the region is closed.
     *
     * <p>If the caller does not, the software device completes requests that access the memory with LOC_PROT_ERR, and
     * refuses a peer's requests with REM_ACCESS_ERR. Its explanation names the cause. Hardware keeps the pinned pages,
     * which may hold other data of the process by then. The provider {@code ibverbs} refuses posts that name the region
     * ({@link PostRefusal#MEMORY_CLOSED}). Closing the region reports {@code EFAULT} after it has ended the
     * registration. For a segment made from a raw address ({@link java.lang.foreign.MemorySegment#reinterpret}) that
     * other code frees, the behaviour is undefined, as in C.
     */
    CALLER_KEEPS_ALIVE
}
