// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * A completion that was polled.
 *
 * @param id the id of the request
 * @param status the status
 * @param opcode the operation; valid on success
 * @param bytes the number of bytes moved
 * @param hasImmediate whether there is immediate data
 * @param immediate the data
 * @param hasInvalidated whether a key was invalidated
 * @param invalidated the key
 * @param sourceQp the sender of a datagram
 * @param step the step in which it was polled
 */
record PolledCompletion(
        long id,
        WorkCompletionStatus status,
        WorkCompletionOpcode opcode,
        long bytes,
        boolean hasImmediate,
        int immediate,
        boolean hasInvalidated,
        int invalidated,
        int sourceQp,
        long step) {
    static PolledCompletion of(WorkCompletion completion, long step) {
        boolean good = completion.isSuccess();
        boolean hasImmediate = good && completion.hasImmediateData();
        boolean hasInvalidated = good && completion.hasInvalidatedRkey();
        return new PolledCompletion(
                completion.workRequestId(),
                completion.status(),
                completion.opcode(),
                good ? completion.byteLength() : 0,
                hasImmediate,
                hasImmediate ? completion.immediateData() : 0,
                hasInvalidated,
                hasInvalidated ? completion.invalidatedRkey() : 0,
                good ? completion.sourceQp() : 0,
                step);
    }

    boolean isGood() {
        return status == WorkCompletionStatus.SUCCESS;
    }

    boolean isFlushed() {
        return status == WorkCompletionStatus.WR_FLUSH_ERR;
    }
}
