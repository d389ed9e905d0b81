package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.CounterShare;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/** What the engines of a queue pair bring about. */
public interface QpOutput {
    /**
     * Takes an empty packet.
     *
     * @return a packet to be sent or released
     */
    SimPacket newPacket();

    /**
     * Takes an empty packet for a request, in the run of the sending half.
     *
     * @return a packet to be sent or released
     */
    default SimPacket newRequest() {
        return newPacket();
    }

    /**
     * Sends a packet that is complete but for its checksums.
     *
     * @param packet the packet, which belongs to the receiver of this call
     */
    void send(SimPacket packet);

    /**
     * Tells whether a packet to be sent may refer to its payload.
     *
     * @return what {@link dev.verbena.sim.fabric.FabricPort#carriesReferences()} says; false if there is no such port
     */
    default boolean carriesReferences() {
        return false;
    }

    /**
     * Tells whether a packet to be sent may be a train.
     *
     * @return what {@link dev.verbena.sim.fabric.FabricPort#carriesTrains()} says; false if there is no such port
     */
    default boolean carriesTrains() {
        return carriesReferences();
    }

    /**
     * Begins a run: what is sent until {@link #endRun} follows each other at once, and may be taken together.
     *
     * @return false if that makes no difference
     */
    default boolean beginRun() {
        return false;
    }

    /** Ends a run: whoever took what was sent has done with it when this returns. No effect without one. */
    default void endRun() {}

    /**
     * Adds a completion to the queue of sends.
     *
     * @param workRequestId the poster's id
     * @param status how it ended
     * @param opcode what it was
     * @param byteLength bytes moved
     * @param flags a mask of {@link dev.verbena.verbs.CompletionFlag}
     * @return false if the queue has no room and the completion is lost
     */
    boolean completeSend(
            long workRequestId, WorkCompletionStatus status, WorkCompletionOpcode opcode, long byteLength, int flags);

    /**
     * Adds a completion to the queue of receives.
     *
     * @param workRequestId the poster's id
     * @param status how it ended
     * @param opcode what it was
     * @param byteLength bytes received
     * @param sourceQpn who sent it, for a datagram; otherwise 0
     * @param flags a mask of {@link dev.verbena.verbs.CompletionFlag}
     * @param immediate immediate data or invalidated key, as the flags say
     * @param solicited whether the sender asked for an announcement
     * @return false if the queue has no room and the completion is lost
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
     * Returns the queue of receives.
     *
     * @return where {@link #completeReceive} adds
     */
    CompletionTarget receiveTarget();

    /**
     * Raises an asynchronous event of the queue pair.
     *
     * @param type what happened
     */
    void raise(AsyncEventType type);

    /** The queue pair went to ERR: both halves must run once more, to flush. */
    void failed();

    /**
     * Returns what the send task counts.
     *
     * @return the same one every time
     */
    CounterShare sendCounts();

    /**
     * Returns what the receive task counts.
     *
     * @return the same one every time
     */
    CounterShare receiveCounts();

    /**
     * Counts.
     *
     * @param counter what happened
     */
    void count(Counter counter);
}
