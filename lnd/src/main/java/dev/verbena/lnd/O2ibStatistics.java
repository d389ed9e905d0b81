// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters of a node's o2iblnd since its start. Each map has an entry for every constant of its key type. */
public final class O2ibStatistics {

    private final Values values;

    record Values(
            Map<MessageType, Long> sent,
            Map<MessageType, Long> received,
            Map<WorkCompletionStatus, Long> completions,
            Map<RejectReason, Long> rejectsSent,
            Map<RejectReason, Long> rejectsReceived,
            long rdmaWrites,
            long rdmaBytes,
            long bounced,
            RegistrationStatistics registration,
            long established,
            long closedWithError,
            long defects,
            long ignored,
            int transmitsInUse,
            long freeMemory,
            List<ConnectionStatistics> connections) {}

    O2ibStatistics(Values values) {
        this.values = values;
    }

    /** {@return the number of messages posted, by message type} */
    public Map<MessageType, Long> sent() {
        return values.sent;
    }

    /** {@return the number of valid messages received, by message type} */
    public Map<MessageType, Long> received() {
        return values.received;
    }

    /** {@return the number of completions polled, by completion status} */
    public Map<WorkCompletionStatus, Long> completions() {
        return values.completions;
    }

    /** {@return the number of connection requests that this node rejected, by reason} */
    public Map<RejectReason, Long> rejectsSent() {
        return values.rejectsSent;
    }

    /** {@return the number of this node's connection requests that peers rejected, by reason} */
    public Map<RejectReason, Long> rejectsReceived() {
        return values.rejectsReceived;
    }

    /** {@return the number of RDMA WRITE requests posted} */
    public long rdmaWrites() {
        return values.rdmaWrites;
    }

    /** {@return the length of the payload written by RDMA, in bytes} */
    public long rdmaBytes() {
        return values.rdmaBytes;
    }

    /** {@return the number of RDMA transfers that were copied, because their memory was not in the node's region} */
    public long bounced() {
        return values.bounced;
    }

    /** {@return the way in which memory is registered, and the numbers of objects used for registrations} */
    public RegistrationStatistics registration() {
        return values.registration;
    }

    /** {@return the number of connections that were established} */
    public long established() {
        return values.established;
    }

    /** {@return the number of connections that ended with an error} */
    public long closedWithError() {
        return values.closedWithError;
    }

    /** {@return the number of messages that failed their checks; each closed its connection} */
    public long defects() {
        return values.defects;
    }

    /** {@return the number of events and failures that were ignored because they came too late} */
    public long ignored() {
        return values.ignored;
    }

    /** {@return the number of transmit descriptors in use; 0 while no message is in progress} */
    public int transmitsInUse() {
        return values.transmitsInUse;
    }

    /** {@return the free part of the node's memory region, in bytes} */
    public long freeMemory() {
        return values.freeMemory;
    }

    /** {@return the state of each established connection} */
    public List<ConnectionStatistics> connections() {
        return values.connections;
    }

    /**
     * The objects with which memory is registered with the device and made accessible to peers.
     *
     * @param kind the way in which memory is registered
     * @param objects the number of memory regions or windows of this kind
     * @param pools the number of pools of regions or windows
     * @param inUse the number of RDMA transfers that use an object; 0 while no transfer is in progress
     */
    public record RegistrationStatistics(RegistrationKind kind, int objects, int pools, int inUse) {}

    /**
     * The state of one connection. While no message is queued or in flight, the credits of one end and the owed
     * credits of the other end add up to the queue depth.
     *
     * @param peer the NID of the peer
     * @param queueDepth the negotiated queue depth
     * @param credits the number of messages that may be sent before the peer returns a credit
     * @param owed the number of credits to return to the peer
     * @param reserved the number of answers that messages in progress may still need
     * @param pending the number of messages that are queued, in flight or waiting for an answer
     */
    public record ConnectionStatistics(Nid peer, int queueDepth, int credits, int owed, int reserved, int pending) {}

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof O2ibStatistics same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "O2ibStatistics" + values.toString().substring("Values".length());
    }
}
