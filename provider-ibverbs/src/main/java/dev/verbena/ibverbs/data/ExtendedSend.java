// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.library.BoundOperations;
import dev.verbena.ibverbs.struct.IbvQpEx;
import dev.verbena.ibverbs.struct.IbvQpInitAttrEx;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.Predicate;

/**
 * The functions of ibv_wr_post(3), for opcodes that {@code ibv_post_send} lacks. From {@code ibv_wr_start} to {@code
 * ibv_wr_complete}, the user-space driver holds a lock of the send queue, so all work requests stay in posting order.
 */
public final class ExtendedSend {
    private static final MethodHandle START = of(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle COMPLETE = of(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle ATOMIC_WRITE =
            of(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FLUSH =
            of(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));

    private final MemorySegment qp;
    private final long address;
    private final MemorySegment start;
    private final MemorySegment complete;
    private final MemorySegment atomicWrite;
    private final MemorySegment flush;

    /** Reads the function pointers in a {@code struct ibv_qp_ex} that was created with the given {@code send_ops_flags}. */
    @SuppressWarnings("restricted") // With FLUSH in `send_ops_flags`, the struct has the field `wr_flush`.
    public ExtendedSend(MemorySegment qp, long operations) {
        boolean hasFlush = (operations & IbvQpInitAttrEx.FLUSH) != 0;
        this.qp = qp.reinterpret(hasFlush ? IbvQpEx.SIZE_WITH_FLUSH : IbvQpEx.LAYOUT.byteSize());
        address = qp.address();
        start = this.qp.get(ADDRESS, IbvQpEx.WR_START);
        complete = this.qp.get(ADDRESS, IbvQpEx.WR_COMPLETE);
        atomicWrite = (operations & IbvQpInitAttrEx.ATOMIC_WRITE) == 0
                ? MemorySegment.NULL
                : this.qp.get(ADDRESS, IbvQpEx.WR_ATOMIC_WRITE);
        flush = hasFlush ? this.qp.get(ADDRESS, IbvQpEx.WR_FLUSH) : MemorySegment.NULL;
    }

    /** Returns the {@code send_ops_flags} of a device, or 0 if {@code ibv_post_send} supports all opcodes of the device. */
    public static long operations(Predicate<Capability> has) {
        return (has.test(Capability.ATOMIC_WRITE) ? IbvQpInitAttrEx.ATOMIC_WRITE : 0)
                | (has.test(Capability.FLUSH) ? IbvQpInitAttrEx.FLUSH : 0);
    }

    @SuppressWarnings("restricted") // The signatures are the header's.
    private static MethodHandle of(FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(descriptor);
    }

    /**
     * Posts an atomic write, and returns 0 or an errno. During the call, the user-space driver reads the payload: the eight
     * bytes at the local virtual address {@code value}.
     */
    int atomicWrite(long workRequestId, int flags, int rkey, long remoteAddress, long value) {
        try {
            begin(workRequestId, flags);
            ATOMIC_WRITE.invokeExact(atomicWrite, address, rkey, remoteAddress, value);
            return (int) COMPLETE.invokeExact(complete, address);
        } catch (Throwable thrown) {
            throw BoundOperations.unexpected(thrown);
        }
    }

    /** Posts a flush, and returns 0 or an errno. */
    int flush(
            long workRequestId,
            int flags,
            int rkey,
            long remoteAddress,
            long length,
            FlushPlacement placement,
            FlushTarget target) {
        try {
            begin(workRequestId, flags);
            FLUSH.invokeExact(flush, address, rkey, remoteAddress, length, placement.code(), target.code());
            return (int) COMPLETE.invokeExact(complete, address);
        } catch (Throwable thrown) {
            throw BoundOperations.unexpected(thrown);
        }
    }

    private void begin(long workRequestId, int flags) throws Throwable {
        START.invokeExact(start, address);
        qp.set(JAVA_LONG, IbvQpEx.WR_ID, workRequestId);
        qp.set(JAVA_INT, IbvQpEx.WR_FLAGS, flags);
    }
}
