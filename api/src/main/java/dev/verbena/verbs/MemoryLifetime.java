package dev.verbena.verbs;

/**
 * How a registered segment is kept alive while its region is open. No public method of Java distinguishes a segment that the
 * garbage collector frees from one whose arena can be closed, so the caller states it.
 *
 * @since 1.0
 */
public enum MemoryLifetime {
    /** The segment belongs to a {@link VerbsArena} of any open device, whose close fails with {@code EBUSY} under a region. */
    VERBS_ARENA,
    /**
     * The garbage collector frees the memory: direct and mapped buffers, automatic arenas, the global arena. The region holds
     * a reference to the segment until it is closed. A segment of an arena that is closed all the same is treated as under
     * {@link #CALLER_KEEPS_ALIVE}.
     */
    REACHABLE,
    /**
     * The caller keeps the arena of the segment open, and the file behind a mapping at its length, until the region is closed.
     *
     * <p>Where the caller fails to: the software device completes requests that access the memory with LOC_PROT_ERR, refuses a
     * peer's with REM_ACCESS_ERR, and its explanation names the cause. Hardware keeps the pinned pages, which may serve other
     * data of the process by then; {@code ibverbs} refuses posts that name the region ({@link PostRefusal#MEMORY_CLOSED}), and
     * closing the region reports {@code EFAULT} after it has ended the registration. For a segment made from a raw address
     * ({@link java.lang.foreign.MemorySegment#reinterpret}) that other code frees, the behaviour is undefined, as in C.
     */
    CALLER_KEEPS_ALIVE
}
