// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.cm.engine.CmCommunication;
import dev.verbena.sim.cm.engine.CmTiming;
import dev.verbena.sim.cm.engine.ReplyParameters;
import dev.verbena.sim.cm.engine.RequestParameters;
import dev.verbena.sim.cm.engine.SidrRequestParameters;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.UdpSourcePort;
import dev.verbena.wire.mad.CmRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts the application's connection parameters to the fields of REQ and REP messages, and vice versa. The conversion of
 * connection parameters applies librdmacm's defaults and the device's limits. The conversion also exchanges initiator depth
 * and responder resources, because the initiator depth of one peer is the responder resources of the other peer.
 */
final class Negotiation {
    private Negotiation() {}

    static MemorySegment privateData(String verb, byte[] bytes, int room) throws VerbsException {
        if (bytes.length > room) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "private data has " + bytes.length + " bytes, but the message has room for " + room
                            + "; send the rest over the established connection");
        }
        return MemorySegment.ofArray(bytes.clone()).asReadOnly();
    }

    static byte[] bytes(MemorySegment privateData) {
        return privateData.toArray(ValueLayout.JAVA_BYTE);
    }

    static RequestParameters request(
            PortSpace portSpace,
            ConnectionParameters asked,
            MemorySegment privateData,
            Optional<QueuePair> queuePair,
            CmDevice device,
            IdAddress address,
            @Nullable AckTimeout ackTimeout)
            throws VerbsException {
        DeviceAttributes limits = device.context().attributes();
        return new RequestParameters(
                portSpace.serviceId(address.peerPort()),
                queuePair.filter(present -> present.type() == QpType.UC).isPresent() ? CmRequest.UC : CmRequest.RC,
                Objects.requireNonNull(address.boundGid()),
                address.localPort(),
                Objects.requireNonNull(address.peerGid()),
                qpn("rdma_connect", asked, queuePair),
                Math.min(asked.responderResources(), limits.maxQpRdAtom()),
                Math.min(asked.initiatorDepth(), limits.maxQpInitRdAtom()),
                asked.flowControl(),
                asked.retryCount(),
                asked.rnrRetryCount().code(),
                srq(asked, queuePair),
                device.pathMtu(Objects.requireNonNull(address.peerGid())),
                UdpSourcePort.cmFlowLabel(address.localPort(), address.peerPort()),
                address.typeOfService(),
                QpDriver.HOP_LIMIT,
                ackTimeout == null ? CmTiming.ACK_TIMEOUT : ackTimeout.code(),
                privateData);
    }

    static SidrRequestParameters sidrRequest(PortSpace portSpace, MemorySegment privateData, IdAddress address) {
        return new SidrRequestParameters(
                portSpace.serviceId(address.peerPort()),
                Objects.requireNonNull(address.boundGid()),
                address.localPort(),
                Objects.requireNonNull(address.peerGid()),
                privateData);
    }

    /** Returns REP parameters, with responder resources and initiator depth limited by the REQ and the device. */
    static ReplyParameters reply(
            ConnectionParameters asked,
            MemorySegment privateData,
            int qpn,
            boolean srq,
            CmDevice device,
            RequestParameters request) {
        DeviceAttributes limits = device.context().attributes();
        return new ReplyParameters(
                qpn,
                Math.min(Math.min(asked.responderResources(), limits.maxQpRdAtom()), request.initiatorDepth()),
                Math.min(Math.min(asked.initiatorDepth(), limits.maxQpInitRdAtom()), request.responderResources()),
                asked.flowControl(),
                asked.rnrRetryCount().code(),
                srq,
                privateData);
    }

    /** Returns the QPN for the REQ or REP of an rdma_cm ID; not 0, because the peer needs the QPN of the connection. */
    static int qpn(String verb, ConnectionParameters asked, Optional<QueuePair> queuePair) throws VerbsException {
        int number = queuePair.map(QueuePair::number).orElse(asked.qpNumber());
        if (number == 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the id has no queue pair; call createQp first, or set qpNumber to your own queue pair's number");
        }
        return number;
    }

    static boolean srq(ConnectionParameters asked, Optional<QueuePair> queuePair) {
        return queuePair.map(present -> present.srq().isPresent()).orElse(asked.srq());
    }

    /**
     * Returns the parameters of a CONNECT_REQUEST event. The peer's initiator depth becomes the responder resources of the
     * local device.
     */
    static ConnectionParameters offered(RequestParameters request) {
        return ConnectionParameters.builder()
                .privateData(bytes(request.privateData()))
                .responderResources(request.initiatorDepth())
                .initiatorDepth(request.responderResources())
                .flowControl(request.flowControl())
                .retryCount(request.retryCount())
                .rnrRetryCount(RnrRetryCount.ofCode(request.rnrRetryCount()))
                .srq(request.srq())
                .qpNumber(request.qpn())
                .build();
    }

    /**
     * Returns the negotiated parameters that apply to the local side of a connection. The retry count is that of the
     * REQ, because a REP has no retry count.
     */
    static ConnectionParameters agreed(CmCommunication communication) {
        RequestParameters request = communication.request();
        ReplyParameters reply = Objects.requireNonNull(communication.reply(), "agreed upon before the REP");
        boolean active = communication.active();
        return ConnectionParameters.builder()
                .privateData(active ? bytes(reply.privateData()) : new byte[0])
                .responderResources(active ? reply.initiatorDepth() : reply.responderResources())
                .initiatorDepth(active ? reply.responderResources() : reply.initiatorDepth())
                .flowControl(active ? reply.flowControl() : request.flowControl())
                .retryCount(request.retryCount())
                .rnrRetryCount(RnrRetryCount.ofCode(active ? reply.rnrRetryCount() : request.rnrRetryCount()))
                .srq(active ? reply.srq() : request.srq())
                .qpNumber(communication.remoteQpn())
                .build();
    }
}
