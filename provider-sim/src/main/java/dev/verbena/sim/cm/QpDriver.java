package dev.verbena.sim.cm;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;

/**
 * Moves an id's queue pair through its states, with the attributes that librdmacm and the kernel give it. Never under the
 * manager's lock.
 */
final class QpDriver {
    /** The port of a software device. */
    static final int PORT = 1;

    private static final int PKEY_INDEX = 0;

    private QpDriver() {}

    /** A queue pair as it comes out of {@code rdma_create_qp}. */
    static QpAttributes toInit() {
        return QpAttributes.toInit(
                PORT, PKEY_INDEX, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
    }

    /**
     * The attributes of a connection, to be read under the lock.
     *
     * @param toRtr from INIT to RTR
     * @param toRts from RTR to RTS
     */
    record Attributes(QpAttributes toRtr, QpAttributes toRts) {
        /** Brings a queue pair to RTS. */
        void apply(String verb, QueuePair queuePair) throws VerbsException {
            try {
                queuePair.modify(toRtr);
                queuePair.modify(toRts);
            } catch (IllegalStateException e) {
                throw new VerbsException(
                        Errno.EINVAL, verb, "the id's queue pair is closed; close the id and make a new one", e);
            }
        }
    }

    /**
     * Works out the attributes of a dialogue.
     *
     * @param dialogue the connection, whose REQ is known
     * @param reply the REP, received or about to be sent
     * @param device the own device
     * @param ackTimeout the queue pair's ACK timeout
     */
    static Attributes attributes(CmDialogue dialogue, ReplyParameters reply, CmDevice device, AckTimeout ackTimeout) {
        RequestParameters request = dialogue.request();
        boolean active = dialogue.active();
        int served = active ? reply.initiatorDepth() : reply.responderResources();
        int outstanding = active ? reply.responderResources() : reply.initiatorDepth();
        int mostServed = device.context().attributes().maxQpRdAtom();
        int mostOutstanding = device.context().attributes().maxQpInitRdAtom();
        AddressVector path = AddressVector.builder()
                .port(PORT)
                .route(new GlobalRoute(
                        dialogue.peerGid(),
                        request.flowLabel(),
                        device.gidIndex(dialogue.localGid()),
                        request.hopLimit(),
                        request.trafficClass()))
                .build();
        QpAttributes toRtr = QpAttributes.builder()
                .state(QpState.RTR)
                .addressVector(path)
                .pathMtu(request.pathMtu())
                .destinationQpn(active ? reply.qpn() : request.qpn())
                .rqPsn(Psn.of(dialogue.localPsn()))
                .maxDestRdAtomic(Math.min(served, mostServed))
                .minRnrTimer(RnrTimer.ofCode(0))
                .access(access(served > 0, device.context().capabilities()))
                .build();
        QpAttributes toRts = QpAttributes.builder()
                .state(QpState.RTS)
                .ackTimeout(ackTimeout)
                .retryCount(request.retryCount())
                .rnrRetryCount(RnrRetryCount.ofCode(active ? reply.rnrRetryCount() : request.rnrRetryCount()))
                .sqPsn(Psn.of(dialogue.remotePsn()))
                .maxRdAtomic(Math.min(outstanding, mostOutstanding))
                .build();
        return new Attributes(toRtr, toRts);
    }

    /** What a peer may do: write, and whatever needs responder resources if there are any. */
    private static Set<AccessFlag> access(boolean hasResources, Set<Capability> capabilities) {
        Set<AccessFlag> access = EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.LOCAL_WRITE);
        if (hasResources) {
            access.add(AccessFlag.REMOTE_READ);
            if (capabilities.contains(Capability.ATOMICS)) {
                access.add(AccessFlag.REMOTE_ATOMIC);
            }
            if (capabilities.contains(Capability.FLUSH)) {
                access.add(AccessFlag.FLUSH_GLOBAL);
                access.add(AccessFlag.FLUSH_PERSISTENT);
            }
        }
        return access;
    }

    /** Ends all work of a queue pair; one that is gone, or was never started, has none. */
    static void fail(QueuePair queuePair) {
        try {
            if (queuePair.state() != QpState.RESET) {
                queuePair.modify(QpAttributes.error());
            }
        } catch (VerbsException | IllegalStateException alreadyGone) {
            // Whoever closed it has ended its work.
        }
    }
}
