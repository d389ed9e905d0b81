package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Access to memory whose arena the program may close ({@link IllegalStateException}), or whose file another program may
 * truncate ({@link InternalError}), at any moment.
 */
final class MemorySegmentGuard {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** Held while eight bytes of a mapped file are read and written. */
    private static final Object MAPPED = new Object();

    private MemorySegmentGuard() {}

    /** Copies bytes; false if one side is gone, and then some of them may have been copied. */
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
     * Adds to eight bytes and returns what they held before. Of a mapped file they are read and then written, one thread at a time:
     * an atomic instruction on a page that was truncated can end the virtual machine, a read or a write does not. So on mapped files
     * the atomics of devices are atomic among each other, and not against the program's own.
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

    /** Replaces eight bytes if they hold what is expected, and returns what they held; of a mapped file as {@link #getAndAdd} does. */
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
     * Raises the error of an access to a mapped file before this returns. The virtual machine raises it at the accessing
     * thread's next safepoint poll or return from native code, which can otherwise be outside the caller's {@code try}. Here it
     * returns from {@link Thread#holdsLock}; {@link Thread#yield} would do for a platform thread, but the virtual machine
     * ends if a virtual thread yields with this error pending.
     */
    private static void settle(MemorySegment accessed) {
        if (accessed.isMapped()) {
            Thread.holdsLock(accessed);
        }
    }
}
