// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import java.lang.foreign.MemorySegment;

/** The functions of the C library for file descriptors. */
public interface SystemCalls {
    /**
     * {@code poll(struct pollfd *, nfds_t count, int milliseconds)} returns the number of ready descriptors, or -1 with
     * errno.
     */
    @CFunction(value = "poll", errno = true)
    int poll(MemorySegment callState, MemorySegment descriptors, long count, int milliseconds);

    /** {@code eventfd(unsigned int initial, int flags)} returns a file descriptor, or -1 with errno. */
    @CFunction(value = "eventfd", errno = true)
    int eventfd(MemorySegment callState, int initial, int flags);

    /** {@code fcntl(int fd, int command, ...)} with one {@code int} returns the command's result, or -1 with errno. */
    @CFunction(value = "fcntl", errno = true, variadicFrom = 2)
    int fcntl(MemorySegment callState, int descriptor, int command, int argument);

    /** {@code read(int fd, void *to, size_t count)} returns the number of bytes, or -1 with errno. */
    @CFunction(value = "read", errno = true)
    long read(MemorySegment callState, int descriptor, MemorySegment to, long count);

    /** {@code write(int fd, const void *from, size_t count)} returns the number of bytes, or -1 with errno. */
    @CFunction(value = "write", errno = true)
    long write(MemorySegment callState, int descriptor, MemorySegment from, long count);

    /** {@code close(int fd)} returns 0, or -1 with errno. */
    @CFunction(value = "close", errno = true)
    int close(MemorySegment callState, int descriptor);
}
