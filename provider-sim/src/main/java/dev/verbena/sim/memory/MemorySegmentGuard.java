// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Accesses memory that may be freed at any moment: the program may close its arena ({@link IllegalStateException}), or another
 * program may truncate its file ({@link InternalError}).
 */
final class MemorySegmentGuard {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** The lock for RDMA atomics on mapped files: a thread holds it while it reads and then writes eight bytes. */
    private static final Object MAPPED = new Object();

    private MemorySegmentGuard() {}

    /** Copies bytes. Returns false if the source or the target memory has been freed; some bytes may then have been copied. */
    static boolean copy(MemorySegment source, long from, MemorySegment target, long to, int bytes) {
        try {
            MemorySegment.copy(source, from, target, to, bytes);
            settle(source);
            settle(target);
            return true;
        } catch (IllegalStateException | InternalError gone) {
            return false;
        }
    }

    /**
     * Adds a value to eight bytes of memory and returns their former value. For a mapped file, {@code getAndAdd} uses a
     * read and a write under a lock, and no atomic instruction. An atomic instruction on a truncated page can crash the
     * JVM; a plain read or write cannot. Two RDMA atomics of this process on a mapped file never overlap. An access by the
     * program can overlap an RDMA atomic.
     */
    static long getAndAdd(MemorySegment memory, long position, long delta) {
        if (!memory.isMapped()) {
            return (long) LONG.getAndAdd(memory, position, delta);
        }
        synchronized (MAPPED) {
            long found = read(memory, position);
            write(memory, position, found + delta);
            return found;
        }
    }

    /**
     * Replaces eight bytes if they have the expected value, and returns their former value. In the memory of a mapped
     * file, this method holds the same lock as {@link #getAndAdd}.
     */
    static long compareAndExchange(MemorySegment memory, long position, long expected, long value) {
        if (!memory.isMapped()) {
            return (long) LONG.compareAndExchange(memory, position, expected, value);
        }
        synchronized (MAPPED) {
            long found = read(memory, position);
            if (found == expected) {
                write(memory, position, value);
            }
            return found;
        }
    }

    private static long read(MemorySegment memory, long position) {
        long found = (long) LONG.getVolatile(memory, position);
        settle(memory);
        return found;
    }

    static void write(MemorySegment memory, long position, long value) {
        LONG.setVolatile(memory, position, value);
        settle(memory);
    }

    /**
     * Makes the JVM throw the pending InternalError of an earlier access to a mapped file, if there is one. The JVM throws
     * the InternalError of a failed access when the accessing thread next polls for a safepoint or returns from native
     * code. Without this method, the JVM could throw the InternalError after the thread has left the {@code try} statement.
     * This method calls the native method {@link Thread#holdsLock} only to make the JVM throw the pending InternalError
     * when {@code holdsLock} returns. The JVM also throws a pending InternalError when a platform thread calls {@link
     * Thread#yield}. A virtual thread with a pending InternalError must not yield, because the JVM would crash.
     */
    private static void settle(MemorySegment accessed) {
        if (accessed.isMapped()) {
            Thread.holdsLock(accessed);
        }
    }
}
