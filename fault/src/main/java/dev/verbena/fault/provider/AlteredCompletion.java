// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * A copy of a completion, for use after the next poll into the same {@code WorkCompletions}. An injected fault may have
 * changed the status of this copied completion.
 */
record AlteredCompletion(
        long workRequestId,
        WorkCompletionStatus status,
        WorkCompletionOpcode opcode,
        int vendorError,
        long byteLength,
        boolean hasImmediateData,
        int immediateData,
        boolean hasInvalidatedRkey,
        int invalidatedRkey,
        int qpNumber,
        int sourceQp,
        boolean hasGlobalRoute,
        int pkeyIndex,
        int sourceLid,
        int serviceLevel,
        int destinationPathBits)
        implements WorkCompletion {
    static AlteredCompletion of(WorkCompletion from, WorkCompletionStatus status, int vendorError) {
        return new AlteredCompletion(
                from.workRequestId(),
                status,
                from.opcode(),
                vendorError,
                from.byteLength(),
                from.hasImmediateData(),
                from.immediateData(),
                from.hasInvalidatedRkey(),
                from.invalidatedRkey(),
                from.qpNumber(),
                from.sourceQp(),
                from.hasGlobalRoute(),
                from.pkeyIndex(),
                from.sourceLid(),
                from.serviceLevel(),
                from.destinationPathBits());
    }

    static AlteredCompletion of(WorkCompletion from) {
        return of(from, from.status(), from.vendorError());
    }
}
