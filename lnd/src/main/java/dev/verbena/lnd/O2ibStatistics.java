package dev.verbena.lnd;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RejectReason;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Map;

/**
 * What a node's o2iblnd has done since it started. Maps hold every key.
 *
 * @param sent messages posted, by type
 * @param received valid messages received, by type
 * @param completions completions polled, by status
 * @param rejectsSent connects refused, by reason
 * @param rejectsReceived own connects refused by peers, by reason
 * @param rdmaWrites RDMA write requests posted
 * @param rdmaBytes payload bytes written by RDMA
 * @param bounced transfers whose memory was not in the node's region and was copied through it
 * @param registration how memory is made known, and with how many objects
 * @param established connections that came up
 * @param closedWithError connections that ended with an error
 * @param defects messages that failed their checks; each closed its connection
 * @param ignored events and refusals that came too late to matter
 * @param transmitsInUse transmit descriptors that are queued, on their way or waiting; 0 at rest
 * @param freeMemory bytes of the node's region that nobody uses
 * @param connections the connections that are up
 */
public record O2ibStatistics(
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
        List<ConnectionStatistics> connections) {

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
     * The state of one connection. At rest, with nothing queued and nothing in flight, the credits of one end and what the
     * other end owes add up to the queue depth.
     *
     * @param peer the other end
     * @param queueDepth the negotiated depth
     * @param credits buffers of the peer that may be filled
     * @param owed buffers of this side that the peer does not know to be free
     * @param reserved answers that may still be asked for
     * @param pending messages queued, on their way or waiting for an answer
     */
    public record ConnectionStatistics(Nid peer, int queueDepth, int credits, int owed, int reserved, int pending) {}
}
