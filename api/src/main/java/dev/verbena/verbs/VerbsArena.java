package dev.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory for registration, with any device of the process.
 *
 * <p>Segments from here are native, zeroed, shared between threads, and keep their address until {@link #close()}. Closing
 * fails while a region still covers one of them, so that no order of calls lets a device write into memory that was freed.
 *
 * <p>May be used from several threads.
 */
public interface VerbsArena extends Arena {
    /**
     * Allocates zeroed memory.
     *
     * @param byteSize the size in bytes, 0 or more; more than 4 GiB is allowed
     * @param byteAlignment the alignment in bytes, a power of two
     * @return a segment of that size whose life is the arena's
     * @throws IllegalArgumentException for a negative size or an alignment that is no power of two
     * @throws OutOfMemoryError when the memory cannot be had
     */
    @Override
    MemorySegment allocate(long byteSize, long byteAlignment);

    /**
     * Allocates memory that starts on a page boundary, as registration of single pages needs.
     *
     * @param byteSize the size in bytes
     * @return a segment of that size, aligned to {@link #PAGE_SIZE}
     */
    default MemorySegment allocatePages(long byteSize) {
        return allocate(byteSize, PAGE_SIZE);
    }

    /** The page size, in bytes, that page lists and fragment rules of this library count in. */
    long PAGE_SIZE = 4096;

    /**
     * Frees the memory.
     *
     * @throws VerbsBusyException ({@code EBUSY}) while a memory region covers memory of this arena; nothing is freed
     */
    @Override
    void close();
}
