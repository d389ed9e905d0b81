// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/**
 * Adds completions to a completion queue. Implementations leave the device counters unchanged, because the caller counts
 * the completions.
 */
@FunctionalInterface
public interface CompletionTarget {
    /**
     * Adds a completion and, if the CQ is armed for it, raises an event. For a datagram, {@code sourceQpn} is the QPN
     * of the sender, otherwise 0. The completion flags are a mask of {@link dev.verbena.verbs.CompletionFlag}. If the
     * CQ is full, the completion is lost, and {@code add} returns false.
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
