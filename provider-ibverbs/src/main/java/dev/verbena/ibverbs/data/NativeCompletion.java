// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.struct.IbvWc;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteOrder;

/** A flyweight over one {@code struct ibv_wc} in a {@link NativeCompletions} array. */
public final class NativeCompletion implements WorkCompletion {
    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int LOW_24_BITS = 0xFFFFFF;

    /** A memory segment over the whole address space, so that reads need not check whether an arena is open. */
    private static final MemorySegment MEMORY = everything();

    /**
     * An address mask that leaves each valid memory address unchanged. The mask clears the two highest bits, so each masked
     * address is within {@link #MEMORY}. The compiler omits the bounds check for a masked address.
     */
    private static final long ADDRESSES = Long.MAX_VALUE >> 1;

    private final MemorySegment raw;
    private final long base;
    private final long address;
    private long timestamp;

    NativeCompletion(MemorySegment raw, long base) {
        this.raw = raw;
        this.base = base;
        address = raw.address() + base;
    }

    @SuppressWarnings("restricted") // A NativeCompletion reads only the memory of its own segment `raw`.
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    @Override
    public int statusCode() {
        try {
            return MEMORY.get(JAVA_INT_UNALIGNED, (address & ADDRESSES) + IbvWc.STATUS);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    MemorySegment raw() {
        return raw.asSlice(base, IbvWc.LAYOUT.byteSize());
    }

    @Override
    public long workRequestId() {
        try {
            return MEMORY.get(JAVA_LONG_UNALIGNED, (address & ADDRESSES) + IbvWc.WR_ID);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public WorkCompletionStatus status() {
        return WorkCompletionStatus.of(statusCode());
    }

    /** Compares the status code with 0, which avoids converting the code to an enum constant. */
    @Override
    public boolean isSuccess() {
        return statusCode() == 0;
    }

    @Override
    public WorkCompletionOpcode opcode() {
        return WorkCompletionOpcode.of(opcodeCode());
    }

    @Override
    public int opcodeCode() {
        return raw.get(JAVA_INT, base + IbvWc.OPCODE);
    }

    @Override
    public int vendorError() {
        return raw.get(JAVA_INT, base + IbvWc.VENDOR_ERR);
    }

    @Override
    public long byteLength() {
        return Integer.toUnsignedLong(raw.get(JAVA_INT, base + IbvWc.BYTE_LEN));
    }

    @Override
    public boolean hasImmediateData() {
        return has(CompletionFlag.WITH_IMM);
    }

    @Override
    public int immediateData() {
        return raw.get(NETWORK_INT, base + IbvWc.IMM_DATA);
    }

    @Override
    public boolean hasInvalidatedRkey() {
        return has(CompletionFlag.WITH_INV);
    }

    @Override
    public int invalidatedRkey() {
        return raw.get(JAVA_INT, base + IbvWc.IMM_DATA);
    }

    @Override
    public int qpNumber() {
        return raw.get(JAVA_INT, base + IbvWc.QP_NUM);
    }

    @Override
    public int sourceQp() {
        return raw.get(JAVA_INT, base + IbvWc.SRC_QP) & LOW_24_BITS;
    }

    @Override
    public boolean hasGlobalRoute() {
        return has(CompletionFlag.GRH);
    }

    @Override
    public int pkeyIndex() {
        return Short.toUnsignedInt(raw.get(JAVA_SHORT, base + IbvWc.PKEY_INDEX));
    }

    @Override
    public int sourceLid() {
        return Short.toUnsignedInt(raw.get(JAVA_SHORT, base + IbvWc.SLID));
    }

    @Override
    public int serviceLevel() {
        return raw.get(JAVA_BYTE, base + IbvWc.SL) & 15;
    }

    @Override
    public int destinationPathBits() {
        return raw.get(JAVA_BYTE, base + IbvWc.DLID_PATH_BITS) & 0x7F;
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    void timestamp(long ticks) {
        timestamp = ticks;
    }

    private boolean has(CompletionFlag flag) {
        return (raw.get(JAVA_INT, base + IbvWc.WC_FLAGS) & flag.mask()) != 0;
    }

    @Override
    public String toString() {
        return "completion of request " + workRequestId() + " on QP " + qpNumber() + ": " + status();
    }
}
