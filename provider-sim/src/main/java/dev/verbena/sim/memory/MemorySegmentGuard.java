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
     * Reads eight bytes, and raises the error if they are gone. Only the read and write accesses of interpreted code raise it:
     * a compare-and-exchange on a truncated page would end the virtual machine.
     */
    static void touch(MemorySegment memory, long position) {
        long ignored = (long) LONG.getVolatile(memory, position);
        settle(memory);
    }

    /**
     * Raises the error of an access to a mapped file before this returns. The virtual machine raises it at the accessing
     * thread's next safepoint poll or return from native code, which can otherwise be outside the caller's {@code try}.
     */
    @SuppressWarnings("ThreadPriorityCheck") // A call of native code is what is needed.
    private static void settle(MemorySegment accessed) {
        if (accessed.isMapped()) {
            Thread.yield();
        }
    }
}
