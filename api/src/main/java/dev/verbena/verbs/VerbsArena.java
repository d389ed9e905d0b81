// SPDX-License-Identifier: Apache-2.0
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
 *
 * @since 1.0
 */
public interface VerbsArena extends Arena {
    /**
     * Allocates zeroed memory.
     *
     * @param byteSize the size in bytes, 0 or more; more than 4 GiB is allowed
     * @param byteAlignment the alignment in bytes, a power of two
     * @return a segment of that size with the arena's lifetime
     * @throws IllegalArgumentException for a negative size or an alignment that is not a power of two
     * @throws OutOfMemoryError when the memory cannot be had
     */
    @Override
    MemorySegment allocate(long byteSize, long byteAlignment);

    /**
     * Returns the size of a page of the system's memory ({@link DeviceAttributes#systemPageSize()}).
     *
     * @return bytes, a power of two: 4096, or 65536 on some systems with aarch64 and ppc64le
     */
    long pageSize();

    /**
     * Allocates memory that starts on a page boundary of the system.
     *
     * @param byteSize the size in bytes
     * @return a segment of that size, aligned to {@link #pageSize()}
     */
    default MemorySegment allocatePages(long byteSize) {
        return allocate(byteSize, pageSize());
    }

    /**
     * Frees the memory.
     *
     * @throws VerbsBusyException ({@code EBUSY}) while a memory region covers memory of this arena; nothing is freed
     */
    @Override
    void close();
}
