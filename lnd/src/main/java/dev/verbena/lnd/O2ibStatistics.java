// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters of a node's o2iblnd since its start. Maps have every key. */
public final class O2ibStatistics {

    private final Values values;

    /** The attributes; a later release may add more. */
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

    /** {@return messages posted, by type} */
    public Map<MessageType, Long> sent() {
        return values.sent;
    }

    /** {@return valid messages received, by type} */
    public Map<MessageType, Long> received() {
        return values.received;
    }

    /** {@return completions polled, by status} */
    public Map<WorkCompletionStatus, Long> completions() {
        return values.completions;
    }

    /** {@return connects refused, by reason} */
    public Map<RejectReason, Long> rejectsSent() {
        return values.rejectsSent;
    }

    /** {@return own connects refused by peers, by reason} */
    public Map<RejectReason, Long> rejectsReceived() {
        return values.rejectsReceived;
    }

    /** {@return RDMA write requests posted} */
    public long rdmaWrites() {
        return values.rdmaWrites;
    }

    /** {@return payload bytes written by RDMA} */
    public long rdmaBytes() {
        return values.rdmaBytes;
    }

    /** {@return transfers whose memory was not in the node's region and was copied through it} */
    public long bounced() {
        return values.bounced;
    }

    /** {@return how memory is made known, and with how many objects} */
    public RegistrationStatistics registration() {
        return values.registration;
    }

    /** {@return connections that came up} */
    public long established() {
        return values.established;
    }

    /** {@return connections that ended with an error} */
    public long closedWithError() {
        return values.closedWithError;
    }

    /** {@return messages that failed their checks; each closed its connection} */
    public long defects() {
        return values.defects;
    }

    /** {@return events and refusals that came too late to matter} */
    public long ignored() {
        return values.ignored;
    }

    /** {@return transmit descriptors that are queued, on their way or waiting; 0 at rest} */
    public int transmitsInUse() {
        return values.transmitsInUse;
    }

    /** {@return bytes of the node's region that nobody uses} */
    public long freeMemory() {
        return values.freeMemory;
    }

    /** {@return the connections that are up} */
    public List<ConnectionStatistics> connections() {
        return values.connections;
    }

    /**
     * The memory made known to the device and to peers.
     *
     * @param kind in which way
     * @param objects regions or windows that there are for it
     * @param pools pools that these come from
     * @param inUse transfers that use some; 0 at rest
     */
    public record RegistrationStatistics(RegistrationKind kind, int objects, int pools, int inUse) {}

    /**
     * The state of one connection. At rest, with nothing queued and nothing in flight, the credits of one end and those
     * that the other end has to return add up to the queue depth.
     *
     * @param peer the other end
     * @param queueDepth the negotiated depth
     * @param credits buffers of the peer that may be filled
     * @param owed buffers of this side that the peer does not know to be free
     * @param reserved answers that may still be requested
     * @param pending messages queued, on their way or waiting for an answer
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
