// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmDisconnectReply;
import dev.verbena.wire.mad.CmDisconnectRequest;
import dev.verbena.wire.mad.CmMessage;
import dev.verbena.wire.mad.CmPath;
import dev.verbena.wire.mad.CmReadyToUse;
import dev.verbena.wire.mad.CmReject;
import dev.verbena.wire.mad.CmReply;
import dev.verbena.wire.mad.CmRequest;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.Mra;
import dev.verbena.wire.mad.RdmaCmHeader;
import dev.verbena.wire.mad.SidrReply;
import dev.verbena.wire.mad.SidrRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Encodes and decodes MADs with the values that Linux's rdma_cm uses. */
final class CmMessages {
    private static final int DEFAULT_PKEY = 0xFFFF;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    /** The upper 32 bits of a transaction ID are a MAD agent's number in Linux. The MAD agent of rdma_cm is number 2. */
    private static final long AGENT = 2L << Integer.SIZE;

    private final long guid;
    private final int ackDelay;

    /** Creates an encoder of MADs for a device. The exponent of the device's ACK delay is {@code ackDelay}. */
    CmMessages(long guid, int ackDelay) {
        this.guid = guid;
        this.ackDelay = ackDelay;
    }

    /** Returns a new transaction ID, with {@code localId} in little-endian byte order as its lower 32 bits. */
    static long transactionId(int localId) {
        return AGENT | Integer.toUnsignedLong(Integer.reverseBytes(localId));
    }

    MemorySegment request(int localId, int startingPsn, RequestParameters parameters) {
        CmRequest message = new CmRequest().wrap(newMad(), 0);
        message.initialize(transactionId(localId));
        message.set(CmRequest.LOCAL_COMM_ID, localId)
                .set(CmRequest.SERVICE_ID, parameters.serviceId())
                .set(CmRequest.LOCAL_CA_GUID, guid)
                .set(CmRequest.LOCAL_QPN, parameters.qpn())
                .set(CmRequest.RESPONDER_RESOURCES, parameters.responderResources())
                .set(CmRequest.INITIATOR_DEPTH, parameters.initiatorDepth())
                .set(CmRequest.REMOTE_CM_RESPONSE_TIMEOUT, CmTiming.RESPONSE_TIMEOUT)
                .set(CmRequest.TRANSPORT_SERVICE_TYPE, parameters.transport())
                .set(CmRequest.END_TO_END_FLOW_CONTROL, parameters.flowControl())
                .set(CmRequest.STARTING_PSN, startingPsn)
                .set(CmRequest.LOCAL_CM_RESPONSE_TIMEOUT, CmTiming.RESPONSE_TIMEOUT)
                .set(CmRequest.RETRY_COUNT, parameters.retryCount())
                .set(CmRequest.PARTITION_KEY, DEFAULT_PKEY)
                .set(CmRequest.PATH_MTU, parameters.pathMtu().code())
                .set(CmRequest.RNR_RETRY_COUNT, parameters.rnrRetryCount())
                .set(CmRequest.MAX_CM_RETRIES, CmTiming.MAX_RETRIES)
                .set(CmRequest.SRQ, parameters.srq());
        Gid source = parameters.source();
        Gid destination = parameters.destination();
        message.primaryPath()
                .set(CmPath.LOCAL_LID, CmPath.PERMISSIVE_LID)
                .set(CmPath.REMOTE_LID, CmPath.PERMISSIVE_LID)
                .set(CmPath.LOCAL_GID_HI, source.high())
                .set(CmPath.LOCAL_GID_LO, source.low())
                .set(CmPath.REMOTE_GID_HI, destination.high())
                .set(CmPath.REMOTE_GID_LO, destination.low())
                .set(CmPath.FLOW_LABEL, parameters.flowLabel())
                .set(CmPath.TRAFFIC_CLASS, parameters.trafficClass())
                .set(CmPath.HOP_LIMIT, parameters.hopLimit())
                .set(CmPath.SUBNET_LOCAL, parameters.hopLimit() <= 1)
                .set(CmPath.LOCAL_ACK_TIMEOUT, parameters.ackTimeout());
        privateData(message, source, parameters.sourcePort(), destination, parameters.privateData());
        return message.segment();
    }

    /** Encodes the rdma_cm header, followed by the application's private data. */
    private static void privateData(
            CmMessage<?> message, Gid source, int sourcePort, Gid destination, MemorySegment privateData) {
        new RdmaCmHeader()
                .wrap(message)
                .initialize(sourcePort, source.high(), source.low(), destination.high(), destination.low());
        message.privateData(RdmaCmHeader.LENGTH, bytes(privateData));
    }

    /** Returns whether the addresses in the rdma_cm header are the packet's source and destination. */
    static boolean isGenuine(CmMessage<?> message, Gid peer, Gid own) {
        RdmaCmHeader header = new RdmaCmHeader().wrap(message);
        return header.get(RdmaCmHeader.CMA_VERSION) == 0
                && header.get(RdmaCmHeader.IP_VERSION) == (peer.isIpv4() ? IPV4 : IPV6)
                && header.sourceHi() == peer.high()
                && header.sourceLo() == peer.low()
                && header.destinationHi() == own.high()
                && header.destinationLo() == own.low();
    }

    /** Decodes a REQ. The caller has checked the path MTU of the REQ. */
    static RequestParameters read(CmRequest message) {
        CmPath path = message.primaryPath();
        return new RequestParameters(
                message.getLong(CmRequest.SERVICE_ID),
                message.get(CmRequest.TRANSPORT_SERVICE_TYPE),
                new Gid(path.getLong(CmPath.LOCAL_GID_HI), path.getLong(CmPath.LOCAL_GID_LO)),
                new RdmaCmHeader().wrap(message).get(RdmaCmHeader.PORT),
                new Gid(path.getLong(CmPath.REMOTE_GID_HI), path.getLong(CmPath.REMOTE_GID_LO)),
                message.get(CmRequest.LOCAL_QPN),
                message.get(CmRequest.RESPONDER_RESOURCES),
                message.get(CmRequest.INITIATOR_DEPTH),
                message.is(CmRequest.END_TO_END_FLOW_CONTROL),
                message.get(CmRequest.RETRY_COUNT),
                message.get(CmRequest.RNR_RETRY_COUNT),
                message.is(CmRequest.SRQ),
                PathMtu.ofCode(message.get(CmRequest.PATH_MTU)),
                path.get(CmPath.FLOW_LABEL),
                path.get(CmPath.TRAFFIC_CLASS),
                path.get(CmPath.HOP_LIMIT),
                path.get(CmPath.LOCAL_ACK_TIMEOUT),
                readOnly(message.privateData(RdmaCmHeader.LENGTH)));
    }

    MemorySegment reply(long transactionId, int localId, int remoteId, int startingPsn, ReplyParameters parameters) {
        CmReply message = new CmReply().wrap(newMad(), 0);
        message.initialize(transactionId);
        message.set(CmReply.LOCAL_COMM_ID, localId)
                .set(CmReply.REMOTE_COMM_ID, remoteId)
                .set(CmReply.LOCAL_QPN, parameters.qpn())
                .set(CmReply.STARTING_PSN, startingPsn)
                .set(CmReply.RESPONDER_RESOURCES, parameters.responderResources())
                .set(CmReply.INITIATOR_DEPTH, parameters.initiatorDepth())
                .set(CmReply.TARGET_ACK_DELAY, ackDelay)
                .set(CmReply.END_TO_END_FLOW_CONTROL, parameters.flowControl())
                .set(CmReply.RNR_RETRY_COUNT, parameters.rnrRetryCount())
                .set(CmReply.SRQ, parameters.srq())
                .set(CmReply.LOCAL_CA_GUID, guid);
        message.privateData(0, bytes(parameters.privateData()));
        return message.segment();
    }

    static ReplyParameters read(CmReply message) {
        return new ReplyParameters(
                message.get(CmReply.LOCAL_QPN),
                message.get(CmReply.RESPONDER_RESOURCES),
                message.get(CmReply.INITIATOR_DEPTH),
                message.is(CmReply.END_TO_END_FLOW_CONTROL),
                message.get(CmReply.RNR_RETRY_COUNT),
                message.is(CmReply.SRQ),
                readOnly(message.privateData()));
    }

    MemorySegment readyToUse(long transactionId, int localId, int remoteId) {
        CmReadyToUse message = new CmReadyToUse().wrap(newMad(), 0);
        message.initialize(transactionId);
        return message.set(CmReadyToUse.LOCAL_COMM_ID, localId)
                .set(CmReadyToUse.REMOTE_COMM_ID, remoteId)
                .segment();
    }

    MemorySegment mra(long transactionId, int localId, int remoteId, int received) {
        Mra message = new Mra().wrap(newMad(), 0);
        message.initialize(transactionId);
        return message.set(Mra.LOCAL_COMM_ID, localId)
                .set(Mra.REMOTE_COMM_ID, remoteId)
                .set(Mra.MESSAGE_MRAED, received)
                .set(Mra.SERVICE_TIMEOUT, CmTiming.SERVICE_TIMEOUT)
                .segment();
    }

    MemorySegment sidrRequest(int id, SidrRequestParameters parameters) {
        SidrRequest message = new SidrRequest().wrap(newMad(), 0);
        message.initialize(transactionId(id));
        message.set(SidrRequest.REQUEST_ID, id)
                .set(SidrRequest.PARTITION_KEY, DEFAULT_PKEY)
                .set(SidrRequest.SERVICE_ID, parameters.serviceId());
        privateData(
                message,
                parameters.source(),
                parameters.sourcePort(),
                parameters.destination(),
                parameters.privateData());
        return message.segment();
    }

    static SidrRequestParameters read(SidrRequest message, Gid peer, Gid own) {
        return new SidrRequestParameters(
                message.getLong(SidrRequest.SERVICE_ID),
                peer,
                new RdmaCmHeader().wrap(message).get(RdmaCmHeader.PORT),
                own,
                readOnly(message.privateData(RdmaCmHeader.LENGTH)));
    }

    MemorySegment sidrReply(long transactionId, int id, long serviceId, SidrReplyParameters parameters) {
        SidrReply message = new SidrReply().wrap(newMad(), 0);
        message.initialize(transactionId);
        message.set(SidrReply.REQUEST_ID, id)
                .set(SidrReply.STATUS, parameters.status())
                .set(SidrReply.QPN, parameters.qpn())
                .set(SidrReply.SERVICE_ID, serviceId)
                .set(SidrReply.QUEUE_KEY, parameters.qkey());
        message.privateData(0, bytes(parameters.privateData()));
        return message.segment();
    }

    static SidrReplyParameters read(SidrReply message) {
        return new SidrReplyParameters(
                message.get(SidrReply.STATUS),
                message.get(SidrReply.QPN),
                message.get(SidrReply.QUEUE_KEY),
                readOnly(message.privateData()));
    }

    /**
     * Encodes a REJ. For a communication ID that is unknown or was never assigned, the caller passes 0. The type of the
     * rejected message is {@link CmReject#REQ}, {@link CmReject#REP} or {@link CmReject#OTHER}.
     */
    MemorySegment reject(
            long transactionId,
            int localId,
            int remoteId,
            int rejected,
            int reason,
            byte[] information,
            MemorySegment privateData) {
        CmReject message = new CmReject().wrap(newMad(), 0);
        message.initialize(transactionId);
        message.set(CmReject.LOCAL_COMM_ID, localId)
                .set(CmReject.REMOTE_COMM_ID, remoteId)
                .set(CmReject.MESSAGE_REJECTED, rejected)
                .set(CmReject.REASON, reason)
                .additionalInfo(information);
        message.privateData(0, bytes(privateData));
        return message.segment();
    }

    /** Returns the additional rejection information (ARI) of a REJ for a timeout: the node GUID of the requester. */
    byte[] guidInformation() {
        return ByteBuffer.allocate(Long.BYTES).putLong(guid).array();
    }

    /** Returns the peer's node GUID from a REJ, or 0 if the REJ has no GUID. The value 0 is not a valid GUID. */
    static long guidInformation(CmReject message) {
        return message.get(CmReject.REJECTED_INFO_LENGTH) < Long.BYTES
                ? 0
                : ByteBuffer.wrap(message.additionalInfo()).getLong();
    }

    MemorySegment disconnectRequest(int localId, int remoteId, int remoteQpn) {
        CmDisconnectRequest message = new CmDisconnectRequest().wrap(newMad(), 0);
        message.initialize(transactionId(localId));
        return message.set(CmDisconnectRequest.LOCAL_COMM_ID, localId)
                .set(CmDisconnectRequest.REMOTE_COMM_ID, remoteId)
                .set(CmDisconnectRequest.REMOTE_QPN, remoteQpn)
                .segment();
    }

    MemorySegment disconnectReply(long transactionId, int localId, int remoteId) {
        CmDisconnectReply message = new CmDisconnectReply().wrap(newMad(), 0);
        message.initialize(transactionId);
        return message.set(CmDisconnectReply.LOCAL_COMM_ID, localId)
                .set(CmDisconnectReply.REMOTE_COMM_ID, remoteId)
                .segment();
    }

    static MemorySegment privateData(CmMessage<?> message) {
        return readOnly(message.privateData());
    }

    private static byte[] bytes(MemorySegment privateData) {
        return privateData.toArray(ValueLayout.JAVA_BYTE);
    }

    private static MemorySegment readOnly(byte[] bytes) {
        return MemorySegment.ofArray(bytes).asReadOnly();
    }

    private static MemorySegment newMad() {
        return MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    }
}
