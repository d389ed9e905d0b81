package dev.verbena.ibverbs;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Finds out whether the driver has {@code ibv_rereg_mr}(3). No attribute of a device says so, and the library has the function in
 * any case; that of a driver without it refuses any call with EOPNOTSUPP, even one that changes nothing.
 */
final class ReregistrationProbe {
    private static final int NOTHING = 0;
    private static final long PAGE = 4096;

    private ReregistrationProbe() {}

    /** True also where that cannot be found out: then the refusal of a real call says it. */
    static boolean offered(MemoryCalls calls, MemorySegment context) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment pd = calls.allocPd(callState, context);
            if (pd.address() == 0) {
                return true;
            }
            try {
                MemorySegment page = arena.allocate(PAGE, PAGE);
                MemorySegment mr = calls.regMr(callState, pd, page, PAGE, AccessFlag.LOCAL_WRITE.mask());
                return mr.address() == 0 || answersTo(calls, callState, mr);
            } finally {
                calls.deallocPd(callState, pd);
            }
        }
    }

    private static boolean answersTo(MemoryCalls calls, MemorySegment callState, MemorySegment mr) {
        try {
            int answer = calls.reregMr(callState, mr, NOTHING, MemorySegment.NULL, MemorySegment.NULL, 0, 0);
            return answer == 0 || CallState.errno(callState) != Errno.EOPNOTSUPP.number();
        } finally {
            calls.deregMr(callState, mr);
        }
    }
}
