// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * The operation of a completion queue that the loopback path uses. The loopback path reports only successes, and counts its
 * completions itself.
 */
@FunctionalInterface
public interface CompletionTarget {
    /**
     * Adds a completion and, if the CQ is armed for it, raises an event. The parameter {@code sourceQpn} is the QPN of a
     * datagram's sender, otherwise 0; the parameter {@code flags} is a mask of {@link dev.verbena.verbs.CompletionFlag}.
     * Returns false if the CQ is full and the completion is lost.
     */
    boolean add(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long byteLength,
            int qpNumber,
            int sourceQpn,
            int flags,
            int immediate,
            boolean solicited);
}
