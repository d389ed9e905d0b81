// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/** A completion queue as the loopback path uses it. The caller counts its own completions and reports only successes. */
@FunctionalInterface
public interface CompletionTarget {
    /**
     * Adds a completion. If the CQ is armed for it, also adds an event to the completion channel.
     *
     * @param workRequestId the poster's id
     * @param status the completion status
     * @param opcode the completed operation
     * @param byteLength the length of the transfer in bytes
     * @param qpNumber the QPN of the local queue pair
     * @param sourceQpn the QPN of the sender of a datagram; otherwise 0
     * @param flags a mask of {@link dev.verbena.verbs.CompletionFlag}
     * @param immediate immediate data or invalidated key
     * @param solicited whether the sender set the solicited event bit
     * @return false if the CQ has no room and the completion is lost
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
