// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.library.BoundOperations;
import dev.verbena.ibverbs.struct.IbvCqEx;
import dev.verbena.ibverbs.struct.IbvWc;
import dev.verbena.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Polls a {@code struct ibv_cq_ex} (ibv_create_cq_ex(3)). A poll calls {@code start_poll}, {@code next_poll} and {@code
 * end_poll}, and one {@code read_*} function for each completion field except {@code wr_id} and {@code status}. This class
 * copies each completion to a {@code struct ibv_wc}, as {@code ibv_poll_cq} does, and stores its timestamp separately. From
 * {@code start_poll} to {@code end_poll}, the user-space driver holds a lock of the completion queue.
 */
public final class ExtendedPoll {
    private static final MethodHandle START = of(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle NEXT = of(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle END = of(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle READ_INT = NEXT;
    private static final MethodHandle READ_LONG = of(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle READ_BYTE = of(FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG));

    /** A {@code struct ibv_poll_cq_attr} that contains only zeros and requests no extensions. Drivers only read it. */
    private static final MemorySegment NO_EXTENSION = Arena.global().allocate(JAVA_LONG);

    private final MemorySegment cq;
    private final long address;
    private final MemorySegment start;
    private final MemorySegment next;
    private final MemorySegment end;
    private final MemorySegment opcode;
    private final MemorySegment vendorError;
    private final MemorySegment byteLength;
    private final MemorySegment immediate;
    private final MemorySegment qpNumber;
    private final MemorySegment sourceQp;
    private final MemorySegment flags;
    private final MemorySegment sourceLid;
    private final MemorySegment serviceLevel;
    private final MemorySegment pathBits;
    private final MemorySegment timestamp;

    /** Reads the function pointers of an {@code ibv_cq_ex} with {@code IBV_WC_STANDARD_FLAGS} and timestamps. */
    public ExtendedPoll(MemorySegment cq) {
        this.cq = cq;
        address = cq.address();
        start = cq.get(ADDRESS, IbvCqEx.START_POLL);
        next = cq.get(ADDRESS, IbvCqEx.NEXT_POLL);
        end = cq.get(ADDRESS, IbvCqEx.END_POLL);
        opcode = cq.get(ADDRESS, IbvCqEx.READ_OPCODE);
        vendorError = cq.get(ADDRESS, IbvCqEx.READ_VENDOR_ERR);
        byteLength = cq.get(ADDRESS, IbvCqEx.READ_BYTE_LEN);
        immediate = cq.get(ADDRESS, IbvCqEx.READ_IMM_DATA);
        qpNumber = cq.get(ADDRESS, IbvCqEx.READ_QP_NUM);
        sourceQp = cq.get(ADDRESS, IbvCqEx.READ_SRC_QP);
        flags = cq.get(ADDRESS, IbvCqEx.READ_WC_FLAGS);
        sourceLid = cq.get(ADDRESS, IbvCqEx.READ_SLID);
        serviceLevel = cq.get(ADDRESS, IbvCqEx.READ_SL);
        pathBits = cq.get(ADDRESS, IbvCqEx.READ_DLID_PATH_BITS);
        timestamp = cq.get(ADDRESS, IbvCqEx.READ_COMPLETION_TS);
    }

    @SuppressWarnings("restricted") // The signatures are those of infiniband/verbs.h.
    private static MethodHandle of(FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(descriptor);
    }

    /** Polls completions. Returns the number of completions, or a negative number for an error of the CQ. */
    public int poll(NativeCompletions into) {
        try {
            int answer = (int) START.invokeExact(start, address, NO_EXTENSION.address());
            if (answer != 0) {
                return answer == Errno.ENOENT.number() ? 0 : -1;
            }
            int count = 0;
            try {
                do {
                    copy(into, count++);
                } while (count < into.capacity() && (int) NEXT.invokeExact(next, address) == 0);
            } finally {
                END.invokeExact(end, address);
            }
            return count;
        } catch (Throwable thrown) {
            throw BoundOperations.unexpected(thrown);
        }
    }

    /** Copies the current completion. A failed completion has only the fields wr_id, status, vendor_err and qp_num. */
    private void copy(NativeCompletions into, int index) throws Throwable {
        MemorySegment to = into.raw(index);
        to.fill((byte) 0);
        int status = cq.get(JAVA_INT, IbvCqEx.STATUS);
        to.set(JAVA_INT, IbvWc.STATUS, status);
        to.set(JAVA_LONG, IbvWc.WR_ID, cq.get(JAVA_LONG, IbvCqEx.WR_ID));
        to.set(JAVA_INT, IbvWc.VENDOR_ERR, (int) READ_INT.invokeExact(vendorError, address));
        to.set(JAVA_INT, IbvWc.QP_NUM, (int) READ_INT.invokeExact(qpNumber, address));
        if (status != 0) {
            into.timestamp(index, 0);
            return;
        }
        to.set(JAVA_INT, IbvWc.OPCODE, (int) READ_INT.invokeExact(opcode, address));
        to.set(JAVA_INT, IbvWc.BYTE_LEN, (int) READ_INT.invokeExact(byteLength, address));
        to.set(JAVA_INT, IbvWc.IMM_DATA, (int) READ_INT.invokeExact(immediate, address));
        to.set(JAVA_INT, IbvWc.SRC_QP, (int) READ_INT.invokeExact(sourceQp, address));
        to.set(JAVA_INT, IbvWc.WC_FLAGS, (int) READ_INT.invokeExact(flags, address));
        to.set(JAVA_SHORT, IbvWc.SLID, (short) (int) READ_INT.invokeExact(sourceLid, address));
        to.set(JAVA_BYTE, IbvWc.SL, (byte) READ_BYTE.invokeExact(serviceLevel, address));
        to.set(JAVA_BYTE, IbvWc.DLID_PATH_BITS, (byte) READ_BYTE.invokeExact(pathBits, address));
        into.timestamp(index, (long) READ_LONG.invokeExact(timestamp, address));
    }
}
