// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.io.IOException;

/**
 * Polls completions into an array that the program supplied. Allocates nothing. Only one thread at a time may call
 * {@link #execute()}. During {@code execute}, another thread may call {@link #free()} or destroy the CQ. PollCall has
 * no lock, because an uncontended lock costs more than polling an empty CQ.
 */
final class PollCall extends SVCPollCq {
    private static final int WITH_GRH = 1;
    private static final int WITH_IMM = 2;

    private final CompletionQueue queue;
    private final IbvWC[] array;
    private final WorkCompletions completions;
    private int polls;
    private volatile boolean valid = true;

    PollCall(BridgeCq queue, IbvWC[] array, int most) throws IOException {
        this.queue = queue.queue();
        this.array = array;
        completions = Calls.get(() -> this.queue.newCompletions(Math.min(most, array.length)));
    }

    @Override
    public SVCPollCq execute() throws IOException {
        if (!valid) {
            throw Calls.freed("ibv_poll_cq");
        }
        try {
            polls = queue.poll(completions);
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
        for (int index = 0; index < polls; index++) {
            copy(completions.get(index), array[index]);
        }
        return this;
    }

    private static void copy(WorkCompletion from, IbvWC to) {
        to.setWr_id(from.workRequestId());
        to.setStatus(from.statusCode());
        to.setVendor_err(from.vendorError());
        to.setQp_num(from.qpNumber());
        // In verbs, the opcode of a failed completion is undefined. This method copies the opcode of a failed
        // completion too, because programs distinguish receives from sends by the opcode.
        to.setOpcode(from.opcodeCode());
        boolean success = from.statusCode() == 0;
        boolean immediate = success && from.hasImmediateData();
        to.setByte_len(success ? (int) from.byteLength() : 0);
        to.setImm_data(immediate ? from.immediateData() : 0);
        to.setSrc_qp(success ? from.sourceQp() : 0);
        to.setWc_flags((immediate ? WITH_IMM : 0) | (success && from.hasGlobalRoute() ? WITH_GRH : 0));
    }

    @Override
    public int getPolls() {
        return polls;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPollCq free() {
        valid = false;
        return this;
    }
}
