package dev.verbena.sim.cm;

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

/** Writes and reads MADs with the values that Linux's rdma_cm uses. */
final class CmMessages {
    private static final int DEFAULT_PKEY = 0xFFFF;

    /** The upper half of the transaction IDs. Linux numbers the users of QP1, and rdma_cm is the second. */
    private static final long AGENT = 2L << Integer.SIZE;

    private final long guid;
    private final int ackDelay;

    /**
     * Makes a writer for one device.
     *
     * @param guid the device's node GUID
     * @param ackDelay the device's ACK delay, as exponent
     */
    CmMessages(long guid, int ackDelay) {
        this.guid = guid;
        this.ackDelay = ackDelay;
    }

    /**
     * Returns the transaction ID of the exchanges that a connection begins: its id in the byte order of a little-endian
     * Linux.
     */
    static long transactionId(int localId) {
        return AGENT | Integer.toUnsignedLong(Integer.reverseBytes(localId));
    }

    MemorySegment request(int localId, int startingPsn, RequestParameters parameters) {
        CmRequest message = new CmRequest().wrap(newMad(), 0);
        message.initialize(transactionId(localId));
        message.localCommId(localId)
                .serviceId(parameters.serviceId())
                .localCaGuid(guid)
                .localQpn(parameters.qpn())
                .responderResources(parameters.responderResources())
                .initiatorDepth(parameters.initiatorDepth())
                .remoteCmResponseTimeout(CmTiming.RESPONSE_TIMEOUT)
                .transportServiceType(parameters.transport())
                .endToEndFlowControl(parameters.flowControl())
                .startingPsn(startingPsn)
                .localCmResponseTimeout(CmTiming.RESPONSE_TIMEOUT)
                .retryCount(parameters.retryCount())
                .partitionKey(DEFAULT_PKEY)
                .pathMtu(parameters.pathMtu().code())
                .rnrRetryCount(parameters.rnrRetryCount())
                .maxCmRetries(CmTiming.MAX_RETRIES)
                .srq(parameters.srq());
        Gid source = parameters.source();
        Gid destination = parameters.destination();
        message.primaryPath()
                .localLid(CmPath.PERMISSIVE_LID)
                .remoteLid(CmPath.PERMISSIVE_LID)
                .localGidHi(source.high())
                .localGidLo(source.low())
                .remoteGidHi(destination.high())
                .remoteGidLo(destination.low())
                .flowLabel(parameters.flowLabel())
                .trafficClass(parameters.trafficClass())
                .hopLimit(parameters.hopLimit())
                .subnetLocal(parameters.hopLimit() <= 1)
                .localAckTimeout(parameters.ackTimeout());
        privateData(message, source, parameters.sourcePort(), destination, parameters.privateData());
        return message.segment();
    }

    /** Writes the rdma_cm header, followed by the user's private data. */
    private static void privateData(
            CmMessage message, Gid source, int sourcePort, Gid destination, MemorySegment privateData) {
        new RdmaCmHeader()
                .wrap(message)
                .initialize(sourcePort, source.high(), source.low(), destination.high(), destination.low());
        message.privateData(RdmaCmHeader.LENGTH, bytes(privateData));
    }

    /** Reads a REQ with a path MTU that has been checked. */
    static RequestParameters read(CmRequest message) {
        CmPath path = message.primaryPath();
        return new RequestParameters(
                message.serviceId(),
                message.transportServiceType(),
                new Gid(path.localGidHi(), path.localGidLo()),
                new RdmaCmHeader().wrap(message).port(),
                new Gid(path.remoteGidHi(), path.remoteGidLo()),
                message.localQpn(),
                message.responderResources(),
                message.initiatorDepth(),
                message.endToEndFlowControl(),
                message.retryCount(),
                message.rnrRetryCount(),
                message.srq(),
                PathMtu.ofCode(message.pathMtu()),
                path.flowLabel(),
                path.trafficClass(),
                path.hopLimit(),
                path.localAckTimeout(),
                readOnly(message.privateData(RdmaCmHeader.LENGTH)));
    }

    MemorySegment reply(long transactionId, int localId, int remoteId, int startingPsn, ReplyParameters parameters) {
        CmReply message = new CmReply().wrap(newMad(), 0);
        message.initialize(transactionId);
        message.localCommId(localId)
                .remoteCommId(remoteId)
                .localQpn(parameters.qpn())
                .startingPsn(startingPsn)
                .responderResources(parameters.responderResources())
                .initiatorDepth(parameters.initiatorDepth())
                .targetAckDelay(ackDelay)
                .endToEndFlowControl(parameters.flowControl())
                .rnrRetryCount(parameters.rnrRetryCount())
                .srq(parameters.srq())
                .localCaGuid(guid);
        message.privateData(0, bytes(parameters.privateData()));
        return message.segment();
    }

    static ReplyParameters read(CmReply message) {
        return new ReplyParameters(
                message.localQpn(),
                message.responderResources(),
                message.initiatorDepth(),
                message.endToEndFlowControl(),
                message.rnrRetryCount(),
                message.srq(),
                readOnly(message.privateData()));
    }

    MemorySegment readyToUse(long transactionId, int localId, int remoteId) {
        CmReadyToUse message = new CmReadyToUse().wrap(newMad(), 0);
        message.initialize(transactionId);
        return message.localCommId(localId).remoteCommId(remoteId).segment();
    }

    MemorySegment mra(long transactionId, int localId, int remoteId, int received) {
        Mra message = new Mra().wrap(newMad(), 0);
        message.initialize(transactionId);
        return message.localCommId(localId)
                .remoteCommId(remoteId)
                .messageMraed(received)
                .serviceTimeout(CmTiming.SERVICE_TIMEOUT)
                .segment();
    }

    MemorySegment sidrRequest(int id, SidrRequestParameters parameters) {
        SidrRequest message = new SidrRequest().wrap(newMad(), 0);
        message.initialize(transactionId(id));
        message.requestId(id).partitionKey(DEFAULT_PKEY).serviceId(parameters.serviceId());
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
                message.serviceId(),
                peer,
                new RdmaCmHeader().wrap(message).port(),
                own,
                readOnly(message.privateData(RdmaCmHeader.LENGTH)));
    }

    MemorySegment sidrReply(long transactionId, int id, long serviceId, SidrReplyParameters parameters) {
        SidrReply message = new SidrReply().wrap(newMad(), 0);
        message.initialize(transactionId);
        message.requestId(id)
                .status(parameters.status())
                .qpn(parameters.qpn())
                .serviceId(serviceId)
                .queueKey(parameters.qkey());
        message.privateData(0, bytes(parameters.privateData()));
        return message.segment();
    }

    static SidrReplyParameters read(SidrReply message) {
        return new SidrReplyParameters(
                message.status(), message.qpn(), message.queueKey(), readOnly(message.privateData()));
    }

    /**
     * Writes a REJ.
     *
     * @param transactionId the transaction ID of the rejected message
     * @param localId this side's id, 0 if there is none
     * @param remoteId the peer's id, 0 if it is not known
     * @param rejected {@link CmReject#REQ}, {@link CmReject#REP} or {@link CmReject#OTHER}
     * @param reason the reason
     * @param information the additional information of the reason
     * @param privateData the user's bytes
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
        message.localCommId(localId)
                .remoteCommId(remoteId)
                .messageRejected(rejected)
                .reason(reason)
                .additionalInfo(information);
        message.privateData(0, bytes(privateData));
        return message.segment();
    }

    /** Returns the information of a rejection for a timeout: the GUID of the requester. */
    byte[] guidInformation() {
        return ByteBuffer.allocate(Long.BYTES).putLong(guid).array();
    }

    /** Reads {@link #guidInformation()} of a peer; 0, which is not a valid GUID, if it sent none. */
    static long guidInformation(CmReject message) {
        return message.rejectedInfoLength() < Long.BYTES
                ? 0
                : ByteBuffer.wrap(message.additionalInfo()).getLong();
    }

    MemorySegment disconnectRequest(int localId, int remoteId, int remoteQpn) {
        CmDisconnectRequest message = new CmDisconnectRequest().wrap(newMad(), 0);
        message.initialize(transactionId(localId));
        return message.localCommId(localId)
                .remoteCommId(remoteId)
                .remoteQpn(remoteQpn)
                .segment();
    }

    MemorySegment disconnectReply(long transactionId, int localId, int remoteId) {
        CmDisconnectReply message = new CmDisconnectReply().wrap(newMad(), 0);
        message.initialize(transactionId);
        return message.localCommId(localId).remoteCommId(remoteId).segment();
    }

    /** Copies the end of a message's private data area for a user. */
    static MemorySegment privateData(CmMessage message) {
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
