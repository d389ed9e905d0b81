// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a node's LND since the node's start. Each map in the statistics has an entry for every constant of
 * the enum that is its key type.
 */
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

    /** {@return the number of posted messages, by message type} */
    public Map<MessageType, Long> sent() {
        return values.sent;
    }

    /** {@return the number of received valid messages, by message type} */
    public Map<MessageType, Long> received() {
        return values.received;
    }

    /** {@return the number of polled completions, by completion status} */
    public Map<WorkCompletionStatus, Long> completions() {
        return values.completions;
    }

    /** {@return the number of connection requests that this node rejected, by reason} */
    public Map<RejectReason, Long> rejectsSent() {
        return values.rejectsSent;
    }

    /** {@return the number of connection requests that peers rejected, by reason} */
    public Map<RejectReason, Long> rejectsReceived() {
        return values.rejectsReceived;
    }

    /** {@return the number of posted RDMA WRITEs} */
    public long rdmaWrites() {
        return values.rdmaWrites;
    }

    /** {@return the total payload of the RDMA WRITEs, in bytes} */
    public long rdmaBytes() {
        return values.rdmaBytes;
    }

    /**
     * {@return the number of RDMA transfers whose payload was copied through a bounce buffer, because the memory of the
     * payload was unsuitable}
     */
    public long bounced() {
        return values.bounced;
    }

    /** {@return statistics of memory registration: the type, and the numbers of objects, pools and RDMA transfers} */
    public RegistrationStatistics registration() {
        return values.registration;
    }

    /** {@return the number of connections established since the start of the node} */
    public long established() {
        return values.established;
    }

    /** {@return the number of connections that ended with an error} */
    public long closedWithError() {
        return values.closedWithError;
    }

    /** {@return the number of invalid messages received; each invalid message closes its connection} */
    public long defects() {
        return values.defects;
    }

    /** {@return the number of events, and of failures of verbs calls, that the LND ignored} */
    public long ignored() {
        return values.ignored;
    }

    /** {@return the number of transmit descriptors in use; 0 while no message is queued or in flight} */
    public int transmitsInUse() {
        return values.transmitsInUse;
    }

    /** {@return the size of the free part of the node's memory region, in bytes} */
    public long freeMemory() {
        return values.freeMemory;
    }

    /** {@return the credits and queue lengths of each established connection} */
    public List<ConnectionStatistics> connections() {
        return values.connections;
    }

    /**
     * The memory regions and memory windows by which peers access memory of the node.
     *
     * @param kind the type of memory registration in use
     * @param objects the number of memory regions or memory windows of this type
     * @param pools the number of pools of memory regions or memory windows
     * @param inUse the number of RDMA transfers in progress by which peers write to memory of this node; transfers that
     *     share an FMR count once
     */
    public record RegistrationStatistics(RegistrationKind kind, int objects, int pools, int inUse) {}

    /**
     * The state of one connection. While no message is queued or in flight, the credits of one node plus the credits that
     * the other node must return equal the queue depth.
     *
     * @param peer the NID of the peer
     * @param queueDepth the negotiated queue depth
     * @param credits the number of messages that this node may send before the peer returns a credit
     * @param owed the number of credits that this node must return to the peer
     * @param reserved the number of receive buffers that this node can still reserve for responses ({@code
     *     ibc_reserved_credits})
     * @param pending the number of messages that are queued, in flight, or waiting for a response
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
