// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/** The output of a queue pair's requester, completer and responder: packets, completions, async events, counter updates. */
public interface QpOutput {
    SimPacket newPacket();

    /** Sends a packet, and takes over the ownership of the packet. The packet does not contain its checksums yet. */
    void send(SimPacket packet);

    default boolean carriesZeroCopy() {
        return false;
    }

    default boolean carriesSegmentBatches() {
        return carriesZeroCopy();
    }

    /** Adds a completion to the send CQ. If the CQ is full, the completion is lost, and this method returns false. */
    boolean completeSend(
            long workRequestId, WorkCompletionStatus status, WorkCompletionOpcode opcode, long byteLength, int flags);

    /**
     * Adds a completion to the receive CQ. For a datagram, {@code sourceQpn} is the QPN of the sender, otherwise 0. The
     * flag {@code solicited} is the solicited event bit of the message's last packet. If the CQ is full, the completion
     * is lost, and this method returns false.
     */
    boolean completeReceive(
            long workRequestId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            long byteLength,
            int sourceQpn,
            int flags,
            int immediate,
            boolean solicited);

    CompletionTarget receiveTarget();

    void raise(AsyncEventType type);

    /** Schedules the send task and the receive task after the queue pair went to ERR, so that they flush the requests. */
    void failed();

    TaskCounters sendCounts();

    TaskCounters receiveCounts();

    void count(Counter counter);
}
