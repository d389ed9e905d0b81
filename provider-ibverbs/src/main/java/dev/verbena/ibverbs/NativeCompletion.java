package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.struct.IbvWc;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A view of one {@code struct ibv_wc} of a batch. */
final class NativeCompletion implements WorkCompletion {
    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int LOW_24_BITS = 0xFFFFFF;

    private final MemorySegment raw;
    private final long base;

    /**
     * Views one of an array.
     *
     * @param raw all of them
     * @param base where it begins
     */
    NativeCompletion(MemorySegment raw, long base) {
        this.raw = raw;
        this.base = base;
    }

    /** The structure itself. */
    MemorySegment raw() {
        return raw.asSlice(base, IbvWc.LAYOUT.byteSize());
    }

    @Override
    public long workRequestId() {
        return raw.get(JAVA_LONG, base + IbvWc.WR_ID);
    }

    @Override
    public WorkCompletionStatus status() {
        return WorkCompletionStatus.of(raw.get(JAVA_INT, base + IbvWc.STATUS));
    }

    /** Without a look at the table of statuses. */
    @Override
    public boolean isSuccess() {
        return raw.get(JAVA_INT, base + IbvWc.STATUS) == 0;
    }

    @Override
    public WorkCompletionOpcode opcode() {
        return WorkCompletionOpcode.of(raw.get(JAVA_INT, base + IbvWc.OPCODE));
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
        return has(CompletionFlag.WITH_IMMEDIATE);
    }

    @Override
    public int immediateData() {
        return raw.get(NETWORK_INT, base + IbvWc.IMM_DATA);
    }

    @Override
    public boolean hasInvalidatedRkey() {
        return has(CompletionFlag.WITH_INVALIDATE);
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

    private boolean has(CompletionFlag flag) {
        return (raw.get(JAVA_INT, base + IbvWc.WC_FLAGS) & flag.mask()) != 0;
    }

    @Override
    public String toString() {
        return "completion of request " + workRequestId() + " on QP " + qpNumber() + ": " + status();
    }
}
