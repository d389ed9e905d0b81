package dev.verbena.wire.mad;

import dev.verbena.wire.GidAddress;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Reads a CM message field by field and writes it again into other bytes. */
final class CmRebuilder {
    private CmRebuilder() {}

    static void rebuild(byte[] mad, byte[] into) {
        MemorySegment from = MemorySegment.ofArray(mad);
        MemorySegment to = MemorySegment.ofArray(into);
        MadHeader header = new MadHeader().wrap(from, 0);
        CmAttribute attribute = Objects.requireNonNull(CmAttribute.of(header.attributeId()), header::toString);
        switch (attribute) {
            case REQ -> request(new CmRequest().wrap(from, 0), new CmRequest().wrap(to, 0));
            case REP -> reply(new CmReply().wrap(from, 0), new CmReply().wrap(to, 0));
            case RTU -> readyToUse(new CmReadyToUse().wrap(from, 0), new CmReadyToUse().wrap(to, 0));
            case REJ -> reject(new CmReject().wrap(from, 0), new CmReject().wrap(to, 0));
            case DREQ ->
                disconnectRequest(new CmDisconnectRequest().wrap(from, 0), new CmDisconnectRequest().wrap(to, 0));
            case DREP -> disconnectReply(new CmDisconnectReply().wrap(from, 0), new CmDisconnectReply().wrap(to, 0));
            case SIDR_REQ -> sidrRequest(new SidrRequest().wrap(from, 0), new SidrRequest().wrap(to, 0));
            case SIDR_REP -> sidrReply(new SidrReply().wrap(from, 0), new SidrReply().wrap(to, 0));
            case MRA, LAP, APR -> throw new IllegalArgumentException("no capture has " + header);
        }
    }

    private static void request(CmRequest from, CmRequest to) {
        to.initialize(from.header().transactionId());
        to.localCommId(from.localCommId())
                .vendorId(from.vendorId())
                .serviceId(from.serviceId())
                .localCaGuid(from.localCaGuid())
                .localQpn(from.localQpn())
                .responderResources(from.responderResources())
                .initiatorDepth(from.initiatorDepth())
                .remoteCmResponseTimeout(from.remoteCmResponseTimeout())
                .transportServiceType(from.transportServiceType())
                .endToEndFlowControl(from.endToEndFlowControl())
                .startingPsn(from.startingPsn())
                .localCmResponseTimeout(from.localCmResponseTimeout())
                .retryCount(from.retryCount())
                .partitionKey(from.partitionKey())
                .pathMtu(from.pathMtu())
                .rnrRetryCount(from.rnrRetryCount())
                .maxCmRetries(from.maxCmRetries())
                .srq(from.srq())
                .extendedTransportType(from.extendedTransportType());
        path(from.primaryPath(), to.primaryPath());
        path(from.alternatePath(), to.alternatePath());
        addresses(new RdmaCmHeader().wrap(from), new RdmaCmHeader().wrap(to));
        to.privateData(RdmaCmHeader.LENGTH, from.privateData(RdmaCmHeader.LENGTH));
    }

    private static void path(CmPath from, CmPath to) {
        to.localLid(from.localLid())
                .remoteLid(from.remoteLid())
                .localGidHi(from.localGidHi())
                .localGidLo(from.localGidLo())
                .remoteGidHi(from.remoteGidHi())
                .remoteGidLo(from.remoteGidLo())
                .flowLabel(from.flowLabel())
                .packetRate(from.packetRate())
                .trafficClass(from.trafficClass())
                .hopLimit(from.hopLimit())
                .serviceLevel(from.serviceLevel())
                .subnetLocal(from.subnetLocal())
                .localAckTimeout(from.localAckTimeout());
    }

    private static void addresses(RdmaCmHeader from, RdmaCmHeader to) {
        to.initialize(from.port(), from.sourceHi(), from.sourceLo(), from.destinationHi(), from.destinationLo());
        boolean ipv4 = GidAddress.isIpv4(from.sourceHi(), from.sourceLo());
        if (ipv4 != (from.ipVersion() == 4)) {
            throw new IllegalArgumentException("an address of another IP version: " + from);
        }
    }

    private static void reply(CmReply from, CmReply to) {
        to.initialize(from.header().transactionId());
        to.localCommId(from.localCommId())
                .remoteCommId(from.remoteCommId())
                .localQpn(from.localQpn())
                .vendorId(from.vendorId())
                .startingPsn(from.startingPsn())
                .responderResources(from.responderResources())
                .initiatorDepth(from.initiatorDepth())
                .targetAckDelay(from.targetAckDelay())
                .failoverAccepted(from.failoverAccepted())
                .endToEndFlowControl(from.endToEndFlowControl())
                .rnrRetryCount(from.rnrRetryCount())
                .srq(from.srq())
                .localCaGuid(from.localCaGuid())
                .privateData(0, from.privateData());
    }

    private static void readyToUse(CmReadyToUse from, CmReadyToUse to) {
        to.initialize(from.header().transactionId());
        to.localCommId(from.localCommId()).remoteCommId(from.remoteCommId()).privateData(0, from.privateData());
    }

    private static void reject(CmReject from, CmReject to) {
        to.initialize(from.header().transactionId());
        to.localCommId(from.localCommId())
                .remoteCommId(from.remoteCommId())
                .messageRejected(from.messageRejected())
                .additionalInfo(from.additionalInfo())
                .rejectedInfoLength(from.rejectedInfoLength())
                .reason(from.reason())
                .privateData(0, from.privateData());
    }

    private static void disconnectRequest(CmDisconnectRequest from, CmDisconnectRequest to) {
        to.initialize(from.header().transactionId());
        to.localCommId(from.localCommId())
                .remoteCommId(from.remoteCommId())
                .remoteQpn(from.remoteQpn())
                .privateData(0, from.privateData());
    }

    private static void disconnectReply(CmDisconnectReply from, CmDisconnectReply to) {
        to.initialize(from.header().transactionId());
        to.localCommId(from.localCommId()).remoteCommId(from.remoteCommId()).privateData(0, from.privateData());
    }

    private static void sidrRequest(SidrRequest from, SidrRequest to) {
        to.initialize(from.header().transactionId());
        to.requestId(from.requestId()).partitionKey(from.partitionKey()).serviceId(from.serviceId());
        addresses(new RdmaCmHeader().wrap(from), new RdmaCmHeader().wrap(to));
        to.privateData(RdmaCmHeader.LENGTH, from.privateData(RdmaCmHeader.LENGTH));
    }

    private static void sidrReply(SidrReply from, SidrReply to) {
        to.initialize(from.header().transactionId());
        to.requestId(from.requestId())
                .status(from.status())
                .additionalInfo(from.additionalInfo())
                .additionalInfoLength(from.additionalInfoLength())
                .vendorId(from.vendorId())
                .qpn(from.qpn())
                .serviceId(from.serviceId())
                .queueKey(from.queueKey())
                .privateData(0, from.privateData());
    }
}
