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
     * Reads eight bytes before they are changed atomically, and raises the error if they are gone: interpreted code raises it for reads and
     * writes only, and a compare-and-exchange of its on a truncated page would end the virtual machine. Compiled code may leave
     * out this read, but raises the error for every access.
     */
    static void touch(MemorySegment memory, long position) {
        long ignored = (long) LONG.getVolatile(memory, position);
        settle(memory);
    }

    /**
     * Raises the error of an access to a mapped file before this returns. The virtual machine raises it at the accessing
     * thread's next safepoint poll or return from native code, which can otherwise be outside the caller's {@code try}. Here it
     * returns from {@link Thread#holdsLock}; {@link Thread#yield} would do for a platform thread, but the virtual machine
     * ends if a virtual thread yields with this error pending.
     */
    static void settle(MemorySegment accessed) {
        if (accessed.isMapped()) {
            Thread.holdsLock(accessed);
        }
    }
}
