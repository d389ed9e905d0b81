// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.TaskCounters;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/** The effects of a queue pair's engines: packets, completions, events and counts. */
public interface QpOutput {
    /**
     * Takes an empty packet from the pool.
     *
     * @return a packet to be sent or released
     */
    SimPacket newPacket();

    /**
     * Sends a packet that is complete except for its checksums.
     *
     * @param packet the packet; this call takes ownership
     */
    void send(SimPacket packet);

    /**
     * Returns whether a packet to be sent may have a zero-copy payload.
     *
     * @return {@link dev.verbena.sim.fabric.FabricPort#carriesZeroCopy()}; false without a port
     */
    default boolean carriesZeroCopy() {
        return false;
    }

    /**
     * Returns whether a packet to be sent may be a segment batch.
     *
     * @return {@link dev.verbena.sim.fabric.FabricPort#carriesSegmentBatches()}; false without a port
     */
    default boolean carriesSegmentBatches() {
        return carriesZeroCopy();
    }

    /**
     * Adds a completion to the send CQ.
     *
     * @param workRequestId the poster's id
     * @param status the completion status
     * @param opcode the completed operation
     * @param byteLength the length of the transfer in bytes
     * @param flags a mask of {@link dev.verbena.verbs.CompletionFlag}
     * @return false if the CQ has no room and the completion is lost
     */
    boolean completeSend(
            long workRequestId, WorkCompletionStatus status, WorkCompletionOpcode opcode, long byteLength, int flags);

    /**
     * Adds a completion to the receive CQ.
     *
     * @param workRequestId the poster's id
     * @param status the completion status
     * @param opcode the completed operation
     * @param byteLength the received length in bytes
     * @param sourceQpn the QPN of the sender of a datagram; otherwise 0
     * @param flags a mask of {@link dev.verbena.verbs.CompletionFlag}
     * @param immediate immediate data or invalidated key, depending on the flags
     * @param solicited whether the last packet had the solicited event bit
     * @return false if the CQ has no room and the completion is lost
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

    /**
     * Returns the receive CQ.
     *
     * @return the CQ that {@link #completeReceive} adds to
     */
    CompletionTarget receiveTarget();

    /**
     * Raises an asynchronous event of the queue pair.
     *
     * @param type the type of the event
     */
    void raise(AsyncEventType type);

    /** Called after the queue pair went to ERR: sender and receiver must run once more, to flush. */
    void failed();

    /**
     * Returns the counters of the send task.
     *
     * @return always the same object
     */
    TaskCounters sendCounts();

    /**
     * Returns the counters of the receive task.
     *
     * @return always the same object
     */
    TaskCounters receiveCounts();

    /**
     * Counts an event in the device counters.
     *
     * @param counter the event
     */
    void count(Counter counter);
}
