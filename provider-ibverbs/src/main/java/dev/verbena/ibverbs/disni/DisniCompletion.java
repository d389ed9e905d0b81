// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvWC;
import dev.verbena.spi.AbstractWorkCompletion;
import dev.verbena.verbs.CompletionFlag;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * A work completion from DiSNI. This class corrects the fields of a failed completion: DiSNI does not update the fields
 * after the opcode, and libibverbs does not define the opcode.
 */
final class DisniCompletion extends AbstractWorkCompletion {
    private final IbvWC raw;
    private long id;
    private int qpNumber;
    private WorkCompletionStatus status = WorkCompletionStatus.SUCCESS;
    private WorkCompletionOpcode opcode = WorkCompletionOpcode.SEND;

    DisniCompletion(IbvWC raw) {
        this.raw = raw;
    }

    /** Copies the completion that DiSNI has just polled; the caller passes the queue pair of the completed request. */
    void read(DisniQp owner) {
        long token = raw.getWr_id();
        status = WorkCompletionStatus.of(raw.getStatus());
        if (isSuccess()) {
            opcode = WorkCompletionOpcode.of(raw.getOpcode());
        } else {
            opcode = DisniQp.isReceive(token) ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.SEND;
        }
        id = owner.complete(token, isSuccess());
        qpNumber = owner.number();
    }

    @Override
    public long workRequestId() {
        return id;
    }

    @Override
    public WorkCompletionStatus status() {
        return status;
    }

    @Override
    public int statusCode() {
        return raw.getStatus();
    }

    @Override
    public WorkCompletionOpcode opcode() {
        return opcode;
    }

    @Override
    public int opcodeCode() {
        return isSuccess() ? raw.getOpcode() : opcode.code();
    }

    /** Returns 0, because DiSNI does not read the vendor error of a failed completion. */
    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public long byteLength() {
        return isSuccess() ? Integer.toUnsignedLong(raw.getByte_len()) : 0;
    }

    @Override
    public boolean hasImmediateData() {
        return isSuccess() && (raw.getWc_flags() & CompletionFlag.WITH_IMM.mask()) != 0;
    }

    @Override
    public int immediateData() {
        return hasImmediateData() ? DisniSendRequest.inNetworkOrder(raw.getImm_data()) : 0;
    }

    @Override
    public int qpNumber() {
        return qpNumber;
    }
}
