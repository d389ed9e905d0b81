// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.sim.cm.engine.CmCommunication;
import dev.verbena.sim.cm.engine.ReplyParameters;
import dev.verbena.sim.cm.engine.RequestParameters;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.CmRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the state transitions of an rdma_cm ID's queue pair. Each transition sets the same attributes as in librdmacm and
 * the kernel. A thread that makes a transition must not hold the connection manager's lock.
 */
final class QpDriver {
    static final int PORT = 1;

    /** The default Q_Key of UD queue pairs, with the value of librdmacm's {@code RDMA_UDP_QKEY}. */
    static final int UDP_QKEY = 0x01234567;

    static final int HOP_LIMIT = 64;

    private static final int PKEY_INDEX = 0;

    private QpDriver() {}

    /** Modifies a queue pair to the state after {@code rdma_create_qp}: RTS for UD, otherwise INIT. */
    static void prepare(QueuePair queuePair) throws VerbsException {
        if (queuePair.type() != QpType.UD) {
            queuePair.modify(toInit(queuePair.type()));
            return;
        }
        for (QpState next : List.of(QpState.INIT, QpState.RTR, QpState.RTS)) {
            queuePair.modify(ofDatagrams("rdma_create_qp", next));
        }
    }

    static QpAttributes toInit(QpType type) {
        return type == QpType.UC
                ? QpAttributes.toInit(PORT, PKEY_INDEX, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
                : QpAttributes.toInit(
                        PORT, PKEY_INDEX, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
    }

    static QpAttributes ofDatagrams(String verb, QpState next) throws VerbsException {
        QpAttributesBuilder attributes = QpAttributes.builder().state(next);
        return switch (next) {
            case INIT ->
                attributes.port(PORT).pkeyIndex(PKEY_INDEX).qkey(UDP_QKEY).build();
            case RTR -> attributes.build();
            case RTS -> attributes.sqPsn(Psn.of(0)).build();
            default -> throw notGiven(verb, next);
        };
    }

    static VerbsException notGiven(String verb, QpState state) {
        return new VerbsException(
                Errno.EINVAL,
                verb,
                "attributes are available for the transitions to INIT, RTR and RTS, not to " + state);
    }

    static void setQkey(String verb, QueuePair queuePair, int qkey) throws VerbsException {
        try {
            queuePair.modify(QpAttributes.builder().qkey(qkey).build());
        } catch (IllegalStateException e) {
            throw closed(verb, e);
        }
    }

    private static VerbsException closed(String verb, IllegalStateException cause) {
        return new VerbsException(
                Errno.EINVAL, verb, "the id's queue pair is closed; close the id and make a new one", cause);
    }

    static AddressVector path(CmDevice device, Gid own, Gid to, int flowLabel, int trafficClass) {
        return path(device, own, to, flowLabel, HOP_LIMIT, trafficClass);
    }

    private static AddressVector path(CmDevice device, Gid own, Gid to, int flowLabel, int hopLimit, int trafficClass) {
        return AddressVector.builder()
                .port(PORT)
                .route(new GlobalRoute(to, flowLabel, device.gidIndex(own), hopLimit, trafficClass))
                .build();
    }

    /** The queue pair attributes of a connection, computed while the thread holds the connection manager's lock. */
    record Attributes(QpAttributes toRtr, QpAttributes toRts) {
        void apply(String verb, QueuePair queuePair) throws VerbsException {
            try {
                queuePair.modify(toRtr);
                queuePair.modify(toRts);
            } catch (IllegalStateException e) {
                throw closed(verb, e);
            }
        }
    }

    /**
     * Computes the queue pair attributes of a connection from its REQ and REP. The parameter {@code reply} is the REP, which was
     * received or is about to be sent.
     */
    static Attributes attributes(
            CmCommunication communication, ReplyParameters reply, CmDevice device, AckTimeout ackTimeout) {
        RequestParameters request = communication.request();
        boolean active = communication.active();
        int served = active ? reply.initiatorDepth() : reply.responderResources();
        int outstanding = active ? reply.responderResources() : reply.initiatorDepth();
        int mostServed = device.context().attributes().maxQpRdAtom();
        int mostOutstanding = device.context().attributes().maxQpInitRdAtom();
        AddressVector path = path(
                device,
                communication.localGid(),
                communication.peerGid(),
                request.flowLabel(),
                request.hopLimit(),
                request.trafficClass());
        if (request.transport() == CmRequest.UC) {
            return new Attributes(
                    QpAttributes.builder()
                            .state(QpState.RTR)
                            .addressVector(path)
                            .pathMtu(request.pathMtu())
                            .destinationQpn(active ? reply.qpn() : request.qpn())
                            .rqPsn(Psn.of(communication.localPsn()))
                            .build(),
                    QpAttributes.builder()
                            .state(QpState.RTS)
                            .sqPsn(Psn.of(communication.remotePsn()))
                            .build());
        }
        QpAttributes toRtr = QpAttributes.builder()
                .state(QpState.RTR)
                .addressVector(path)
                .pathMtu(request.pathMtu())
                .destinationQpn(active ? reply.qpn() : request.qpn())
                .rqPsn(Psn.of(communication.localPsn()))
                .maxDestRdAtomic(Math.min(served, mostServed))
                .minRnrTimer(RnrTimer.ofCode(0))
                .access(access(served > 0, device.context().capabilities()))
                .build();
        QpAttributes toRts = QpAttributes.builder()
                .state(QpState.RTS)
                .ackTimeout(ackTimeout)
                .retryCount(request.retryCount())
                .rnrRetryCount(RnrRetryCount.ofCode(active ? reply.rnrRetryCount() : request.rnrRetryCount()))
                .sqPsn(Psn.of(communication.remotePsn()))
                .maxRdAtomic(Math.min(outstanding, mostOutstanding))
                .build();
        return new Attributes(toRtr, toRts);
    }

    /** Returns the access flags of a queue pair. READs, atomics and FLUSHes require responder resources. */
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

    /** Modifies a queue pair to ERR, which flushes its requests. Does nothing for a queue pair that is closed or in RESET. */
    static void fail(QueuePair queuePair) {
        try {
            if (queuePair.state() != QpState.RESET) {
                queuePair.modify(QpAttributes.error());
            }
        } catch (VerbsException | IllegalStateException alreadyGone) {
            // The queue pair was closed, which flushed its requests.
        }
    }
}
