package dev.verbena.sim.queue;

import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue entry, in the order of {@code struct ib_uverbs_wc}.
 *
 * <pre>
 *  0 wr_id   8    12 opcode       4    24 byte length      8    36 QPN        4
 *  8 status  4    16 vendor error 4    32 immediate / rkey 4    40 source QPN 4    44 flags 4
 * </pre>
 */
public final class Cqe implements WorkCompletion {
    /** Bytes of an entry. */
    public static final int LENGTH = 48;

    private static final int WR_ID = 0;
    private static final int STATUS = 8;
    private static final int OPCODE = 12;
    private static final int VENDOR_ERROR = 16;
    private static final int BYTE_LENGTH = 24;
    private static final int IMMEDIATE = 32;
    private static final int QPN = 36;
    private static final int SOURCE_QPN = 40;
    private static final int FLAGS = 44;
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();
    private static final WorkCompletionOpcode[] OPCODES = WorkCompletionOpcode.values();

    private Slots slots = Slots.NONE;
    private long at;

    private final @Nullable CompletionExplainer explainer;

    /** Creates a flyweight that points nowhere yet, for who needs no explanations. */
    public Cqe() {
        explainer = null;
    }

    /**
     * Creates a flyweight that points nowhere yet.
     *
     * @param explainer knows the queue pairs
     */
    public Cqe(CompletionExplainer explainer) {
        this.explainer = explainer;
    }

    /**
     * Points the flyweight at an entry.
     *
     * @param memory the slots
     * @param offset where the entry begins
     * @return this
     */
    public Cqe wrap(Slots memory, long offset) {
        if (slots != memory) {
            slots = memory;
        }
        at = offset;
        return this;
    }

    /**
     * Writes an entry, without a flyweight: who adds to a queue would write to one beside what who polls reads.
     *
     * @param slots the slots
     * @param at where the entry begins
     * @param workRequestId the poster's id
     * @param status how it ended
     * @param opcode what it was
     * @param byteLength bytes moved
     * @param qpNumber the local queue pair
     * @param sourceQp the sender of a UD message
     * @param flags a mask of {@link CompletionFlag}
     * @param immediate immediate data or invalidated key
     */
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
        slots.setInt(at + STATUS, status.ordinal());
        slots.setInt(at + OPCODE, opcode.ordinal());
        slots.setInt(at + VENDOR_ERROR, 0);
        slots.setLong(at + BYTE_LENGTH, byteLength);
        slots.setInt(at + IMMEDIATE, immediate);
        slots.setInt(at + QPN, qpNumber);
        slots.setInt(at + SOURCE_QPN, sourceQp);
        slots.setInt(at + FLAGS, flags);
    }

    @Override
    public long workRequestId() {
        return slots.getLong(at + WR_ID);
    }

    @Override
    public WorkCompletionStatus status() {
        return STATUSES[slots.getInt(at + STATUS)];
    }

    @Override
    public WorkCompletionOpcode opcode() {
        return OPCODES[slots.getInt(at + OPCODE)];
    }

    @Override
    public int vendorError() {
        return slots.getInt(at + VENDOR_ERROR);
    }

    @Override
    public long byteLength() {
        return slots.getLong(at + BYTE_LENGTH);
    }

    @Override
    public boolean hasImmediateData() {
        return has(CompletionFlag.WITH_IMMEDIATE);
    }

    @Override
    public int immediateData() {
        return slots.getInt(at + IMMEDIATE);
    }

    @Override
    public boolean hasInvalidatedRkey() {
        return has(CompletionFlag.WITH_INVALIDATE);
    }

    @Override
    public int invalidatedRkey() {
        return slots.getInt(at + IMMEDIATE);
    }

    @Override
    public int qpNumber() {
        return slots.getInt(at + QPN);
    }

    @Override
    public int sourceQp() {
        return slots.getInt(at + SOURCE_QPN);
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
        return (slots.getInt(at + FLAGS) & flag.mask()) != 0;
    }

    @Override
    public String toString() {
        return isSuccess()
                ? opcode() + " id " + workRequestId() + " " + byteLength() + " bytes on qp " + qpNumber()
                : status() + " id " + workRequestId() + " on qp " + qpNumber();
    }
}
