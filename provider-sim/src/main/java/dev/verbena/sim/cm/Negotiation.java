package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
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
 * Translates between what users ask for and are told, and what REQ and REP say: librdmacm's defaults, the device's limits,
 * and whose READs are meant.
 */
final class Negotiation {
    private Negotiation() {}

    /** Copies private data, if it fits. */
    static MemorySegment privateData(String verb, byte[] bytes, int room) throws VerbsException {
        if (bytes.length > room) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "private data has " + bytes.length + " bytes, and the message has room for " + room
                            + "; send the rest once connected");
        }
        return MemorySegment.ofArray(bytes.clone()).asReadOnly();
    }

    static byte[] bytes(MemorySegment privateData) {
        return privateData.toArray(ValueLayout.JAVA_BYTE);
    }

    /** What connecting asks for. */
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
                device.pathMtu(),
                UdpSourcePort.cmFlowLabel(address.localPort(), address.peerPort()),
                address.typeOfService(),
                QpDriver.HOP_LIMIT,
                ackTimeout == null ? CmTiming.ACK_TIMEOUT : ackTimeout.code(),
                privateData);
    }

    /** What asking for a queue pair for datagrams says. */
    static SidrParameters question(PortSpace portSpace, MemorySegment privateData, IdAddress address) {
        return new SidrParameters(
                portSpace.serviceId(address.peerPort()),
                Objects.requireNonNull(address.boundGid()),
                address.localPort(),
                Objects.requireNonNull(address.peerGid()),
                privateData);
    }

    /** What accepting promises: never more than the device can, nor than the peer has use or room for. */
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

    /** Peers tell connections apart by the queue pair, so there has to be one. */
    static int qpn(String verb, ConnectionParameters asked, Optional<QueuePair> queuePair) throws VerbsException {
        int number = queuePair.map(QueuePair::number).orElse(asked.qpNumber());
        if (number == 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "the id has no queue pair; call createQp first, or give the qpNumber of your own");
        }
        return number;
    }

    static boolean srq(ConnectionParameters asked, Optional<QueuePair> queuePair) {
        return queuePair.map(present -> present.srq().isPresent()).orElse(asked.srq());
    }

    /** What a CONNECT_REQUEST shows: the peer's offer, with its READs as what this side would serve. */
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

    /** What both have agreed on, from this side's point of view; a REP has no retry count, so that is the REQ's. */
    static ConnectionParameters agreed(CmDialogue dialogue) {
        RequestParameters request = dialogue.request();
        ReplyParameters reply = Objects.requireNonNull(dialogue.reply(), "agreed upon before the REP");
        boolean active = dialogue.active();
        return ConnectionParameters.builder()
                .privateData(active ? bytes(reply.privateData()) : new byte[0])
                .responderResources(active ? reply.initiatorDepth() : reply.responderResources())
                .initiatorDepth(active ? reply.responderResources() : reply.initiatorDepth())
                .flowControl(active ? reply.flowControl() : request.flowControl())
                .retryCount(request.retryCount())
                .rnrRetryCount(RnrRetryCount.ofCode(active ? reply.rnrRetryCount() : request.rnrRetryCount()))
                .srq(active ? reply.srq() : request.srq())
                .qpNumber(dialogue.remoteQpn())
                .build();
    }
}
