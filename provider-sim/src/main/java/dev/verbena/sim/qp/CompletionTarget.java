// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * Adds the completions of the loopback path to a completion queue. The loopback path reports only successes, and counts its
 * completions itself.
 */
@FunctionalInterface
public interface CompletionTarget {
    /**
     * Adds a completion and, if the CQ is armed for it, raises an event. For a datagram, {@code sourceQpn} is the QPN of the
     * sender, otherwise 0. The completion flags are a mask of {@link dev.verbena.verbs.CompletionFlag}. Returns false if the CQ
     * is full and the completion is lost.
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
