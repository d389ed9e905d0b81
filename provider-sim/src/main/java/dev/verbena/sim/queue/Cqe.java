// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Java object with a copy of a completion queue entry. The entry contains the fields of {@code struct ib_uverbs_wc} in
 * half a cache line. Each value has its own Java field. A byte array for the values would require a second Java object for
 * each completion.
 *
 * <pre>
 *  0 wr_id 8    8 byte length 4    12 immediate / rkey 4    16 QPN 4    20 source QPN 4    28 valid mark 4
 * 24 from the lowest bits: flags 16 bits, status 8, opcode 8
 * </pre>
 *
 * Lengths are unsigned, because a message may have 2^31 bytes. The valid mark at offset 28 shows that a CQE is valid, like
 * the owner bit of a hardware CQE.
 */
public final class Cqe implements WorkCompletion {
    public static final int LENGTH = 32;

    private static final int WR_ID = 0;
    private static final int BYTE_LENGTH = 8;
    private static final int IMMEDIATE = 12;
    private static final int QPN = 16;
    private static final int SOURCE_QPN = 20;
    private static final int FLAGS = 24;
    private static final int STATUS_SHIFT = 16;
    private static final int OPCODE_SHIFT = 24;
    private static final int MARK = 28;
    private static final int FLAGS_MASK = 0xFFFF;
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();
    private static final WorkCompletionOpcode[] OPCODES = WorkCompletionOpcode.values();

    private long workRequestId;
    private int byteLength;
    private int immediate;
    private int qpNumber;
    private int sourceQp;
    private int flags;
    private byte status;
    private byte opcode;
    private final @Nullable CompletionExplainer explainer;

    public Cqe() {
        explainer = null;
    }

    public Cqe(CompletionExplainer explainer) {
        this.explainer = explainer;
    }

    public Cqe read(Slots slots, long at) {
        workRequestId = slots.getLong(at + WR_ID);
        byteLength = slots.getInt(at + BYTE_LENGTH);
        immediate = slots.getInt(at + IMMEDIATE);
        qpNumber = qpNumber(slots, at);
        sourceQp = slots.getInt(at + SOURCE_QPN);
        int word = slots.getInt(at + FLAGS);
        flags = word & FLAGS_MASK;
        status = (byte) (word >>> STATUS_SHIFT);
        opcode = (byte) (word >>> OPCODE_SHIFT);
        return this;
    }

    static int qpNumber(Slots slots, long at) {
        return slots.getInt(at + QPN);
    }

    public static void write(
            Slots slots,
            long at,
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long byteLength,
            int qpNumber,
            int sourceQp,
            int flags,
            int immediate) {
        slots.setLong(at + WR_ID, workRequestId);
        slots.setInt(at + BYTE_LENGTH, (int) byteLength);
        slots.setInt(at + IMMEDIATE, immediate);
        slots.setInt(at + QPN, qpNumber);
        slots.setInt(at + SOURCE_QPN, sourceQp);
        slots.setInt(at + FLAGS, flags | status.ordinal() << STATUS_SHIFT | opcode.ordinal() << OPCODE_SHIFT);
    }

    /** Copies a CQE without its valid mark. */
    static void copy(Slots slots, long from, long to) {
        slots.copyFrom(slots, from, to, MARK);
    }

    /** Sets the valid mark of a CQE, which must differ from the valid mark of the previous CQE in the same slot. */
    static void mark(Slots slots, long at, int mark) {
        VarHandle.releaseFence();
        slots.setInt(at + MARK, mark);
    }

    static boolean isMarked(Slots slots, long at, int mark) {
        boolean marked = slots.getInt(at + MARK) == mark;
        VarHandle.acquireFence();
        return marked;
    }

    @Override
    public long workRequestId() {
        return workRequestId;
    }

    @Override
    public WorkCompletionStatus status() {
        return STATUSES[status];
    }

    @Override
    public WorkCompletionOpcode opcode() {
        return OPCODES[opcode];
    }

    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public long byteLength() {
        return Integer.toUnsignedLong(byteLength);
    }

    @Override
    public boolean hasImmediateData() {
        return has(CompletionFlag.WITH_IMM);
    }

    @Override
    public int immediateData() {
        return immediate;
    }

    @Override
    public boolean hasInvalidatedRkey() {
        return has(CompletionFlag.WITH_INV);
    }

    @Override
    public int invalidatedRkey() {
        return immediate;
    }

    @Override
    public int qpNumber() {
        return qpNumber;
    }

    @Override
    public int sourceQp() {
        return sourceQp;
    }

    @Override
    public boolean hasGlobalRoute() {
        return has(CompletionFlag.GRH);
    }

    @Override
    public int pkeyIndex() {
        return 0;
    }

    @Override
    public int sourceLid() {
        return 0;
    }

    @Override
    public int serviceLevel() {
        return 0;
    }

    @Override
    public int destinationPathBits() {
        return 0;
    }

    @Override
    public Explanation explain() {
        return explainer == null ? Explanation.ofStatus(this) : explainer.explain(this);
    }

    @Override
    public Optional<RootCause> rootCause() {
        return explainer == null || isSuccess() ? Optional.empty() : explainer.rootCause(this);
    }

    private boolean has(CompletionFlag flag) {
        return (flags & flag.mask()) != 0;
    }

    @Override
    public String toString() {
        return isSuccess()
                ? opcode() + " id " + workRequestId() + " " + byteLength() + " bytes on qp " + qpNumber()
                : status() + " id " + workRequestId() + " on qp " + qpNumber();
    }
}
