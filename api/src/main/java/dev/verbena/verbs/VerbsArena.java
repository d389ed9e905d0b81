// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Allocates memory for registration with any device of the process. Thread-safe.
 *
 * <p>The segments of a {@code VerbsArena} are native, zeroed and shared between threads, and keep their address until
 * {@link #close()}. While a memory region covers a segment, closing the {@code VerbsArena} fails, so that no device
 * writes into freed memory.
 *
 * @since 1.0
 */
public interface VerbsArena extends Arena {
    /**
     * Allocates zeroed memory.
     *
     * @param byteSize the size of the memory segment in bytes, at least 0; may exceed 4 GiB
     * @param byteAlignment the alignment of the segment in bytes, a power of two
     * @return a segment of the requested size; closing the arena frees the segment
     * @throws IllegalArgumentException if the size is negative or the alignment is not a power of two
     * @throws OutOfMemoryError if the system cannot allocate the memory
     */
    @Override
    MemorySegment allocate(long byteSize, long byteAlignment);

    /**
     * {@return the page size of the system's memory in bytes ({@link DeviceAttributes#systemPageSize()}), a power of two: 4096,
     * or 65536 on some systems with aarch64 and ppc64le}
     */
    long pageSize();

    /**
     * Allocates memory that starts on a page boundary of the system.
     *
     * @param byteSize the size in bytes
     * @return a segment of the requested size, aligned to {@link #pageSize()}
     */
    default MemorySegment allocatePages(long byteSize) {
        return allocate(byteSize, pageSize());
    }

    /**
     * Frees the memory.
     *
     * @throws VerbsBusyException ({@code EBUSY}) while a region covers memory of this arena; the arena then stays open
     */
    @Override
    void close();
}
