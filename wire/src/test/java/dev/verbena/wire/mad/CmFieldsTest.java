package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.wire.HeaderField;
import dev.verbena.wire.HeaderFields;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Each field of each MAD lies where the InfiniBand specification draws it, and a setter touches no other bit. */
class CmFieldsTest {
    private static final int ROOM = 280;
    private static final long U32 = 0xffff_ffffL;

    private static final List<HeaderField<?>> FIELDS = Stream.of(
                    madHeader(), request(), path(), reply(), replyTail(), reject(), mra(), others(), sidr())
            .flatMap(List::stream)
            .toList();

    private static List<HeaderField<?>> madHeader() {
        return new HeaderFields<>(new MadHeader(), MadHeader::wrap)
                .number("baseVersion", 0, 0, 8, MadHeader::baseVersion, (h, v) -> h.baseVersion(v.intValue()))
                .number("class", 1, 0, 8, MadHeader::managementClass, (h, v) -> h.managementClass(v.intValue()))
                .number("classVersion", 2, 0, 8, MadHeader::classVersion, (h, v) -> h.classVersion(v.intValue()))
                .number("method", 3, 0, 8, MadHeader::method, (h, v) -> h.method(v.intValue()))
                .number("status", 4, 0, 16, MadHeader::status, (h, v) -> h.status(v.intValue()))
                .number("classSpecific", 6, 0, 16, MadHeader::classSpecific, (h, v) -> h.classSpecific(v.intValue()))
                .number("transactionId", 8, 0, 64, MadHeader::transactionId, MadHeader::transactionId)
                .number("attributeId", 16, 0, 16, MadHeader::attributeId, (h, v) -> h.attributeId(v.intValue()))
                .number(
                        "modifier",
                        20,
                        0,
                        32,
                        h -> h.attributeModifier() & U32,
                        (h, v) -> h.attributeModifier(v.intValue()))
                .list();
    }

    private static List<HeaderField<?>> request() {
        return new HeaderFields<>(new CmRequest(), CmRequest::wrap)
                .number("localCommId", 24, 0, 32, h -> h.localCommId() & U32, (h, v) -> h.localCommId(v.intValue()))
                .number("vendorId", 29, 0, 24, CmRequest::vendorId, (h, v) -> h.vendorId(v.intValue()))
                .number("serviceId", 32, 0, 64, CmRequest::serviceId, CmRequest::serviceId)
                .number("localCaGuid", 40, 0, 64, CmRequest::localCaGuid, CmRequest::localCaGuid)
                .number("localQpn", 56, 0, 24, CmRequest::localQpn, (h, v) -> h.localQpn(v.intValue()))
                .number(
                        "resources",
                        59,
                        0,
                        8,
                        CmRequest::responderResources,
                        (h, v) -> h.responderResources(v.intValue()))
                .number("depth", 63, 0, 8, CmRequest::initiatorDepth, (h, v) -> h.initiatorDepth(v.intValue()))
                .number(
                        "remoteTimeout",
                        67,
                        0,
                        5,
                        CmRequest::remoteCmResponseTimeout,
                        (h, v) -> h.remoteCmResponseTimeout(v.intValue()))
                .number(
                        "transport",
                        67,
                        5,
                        2,
                        CmRequest::transportServiceType,
                        (h, v) -> h.transportServiceType(v.intValue()))
                .flag("flowControl", 67, 7, CmRequest::endToEndFlowControl, CmRequest::endToEndFlowControl)
                .number("startingPsn", 68, 0, 24, CmRequest::startingPsn, (h, v) -> h.startingPsn(v.intValue()))
                .number(
                        "localTimeout",
                        71,
                        0,
                        5,
                        CmRequest::localCmResponseTimeout,
                        (h, v) -> h.localCmResponseTimeout(v.intValue()))
                .number("retryCount", 71, 5, 3, CmRequest::retryCount, (h, v) -> h.retryCount(v.intValue()))
                .number("partitionKey", 72, 0, 16, CmRequest::partitionKey, (h, v) -> h.partitionKey(v.intValue()))
                .number("pathMtu", 74, 0, 4, CmRequest::pathMtu, (h, v) -> h.pathMtu(v.intValue()))
                .number("rnrRetryCount", 74, 5, 3, CmRequest::rnrRetryCount, (h, v) -> h.rnrRetryCount(v.intValue()))
                .number("maxCmRetries", 75, 0, 4, CmRequest::maxCmRetries, (h, v) -> h.maxCmRetries(v.intValue()))
                .flag("srq", 75, 4, CmRequest::srq, CmRequest::srq)
                .number(
                        "extendedType",
                        75,
                        5,
                        3,
                        CmRequest::extendedTransportType,
                        (h, v) -> h.extendedTransportType(v.intValue()))
                .number(
                        "primaryPath.localLid",
                        76,
                        0,
                        16,
                        h -> h.primaryPath().localLid(),
                        (h, v) -> h.primaryPath().localLid(v.intValue()))
                .number(
                        "alternatePath.localAckTimeout",
                        163,
                        0,
                        5,
                        h -> h.alternatePath().localAckTimeout(),
                        (h, v) -> h.alternatePath().localAckTimeout(v.intValue()))
                .list();
    }

    private static List<HeaderField<?>> path() {
        return new HeaderFields<>(new CmPath(), CmPath::wrap)
                .number("localLid", 0, 0, 16, CmPath::localLid, (h, v) -> h.localLid(v.intValue()))
                .number("remoteLid", 2, 0, 16, CmPath::remoteLid, (h, v) -> h.remoteLid(v.intValue()))
                .number("localGidHi", 4, 0, 64, CmPath::localGidHi, CmPath::localGidHi)
                .number("localGidLo", 12, 0, 64, CmPath::localGidLo, CmPath::localGidLo)
                .number("remoteGidHi", 20, 0, 64, CmPath::remoteGidHi, CmPath::remoteGidHi)
                .number("remoteGidLo", 28, 0, 64, CmPath::remoteGidLo, CmPath::remoteGidLo)
                .number("flowLabel", 36, 0, 20, CmPath::flowLabel, (h, v) -> h.flowLabel(v.intValue()))
                .number("packetRate", 39, 2, 6, CmPath::packetRate, (h, v) -> h.packetRate(v.intValue()))
                .number("trafficClass", 40, 0, 8, CmPath::trafficClass, (h, v) -> h.trafficClass(v.intValue()))
                .number("hopLimit", 41, 0, 8, CmPath::hopLimit, (h, v) -> h.hopLimit(v.intValue()))
                .number("serviceLevel", 42, 0, 4, CmPath::serviceLevel, (h, v) -> h.serviceLevel(v.intValue()))
                .flag("subnetLocal", 42, 4, CmPath::subnetLocal, CmPath::subnetLocal)
                .number("ackTimeout", 43, 0, 5, CmPath::localAckTimeout, (h, v) -> h.localAckTimeout(v.intValue()))
                .list();
    }

    private static List<HeaderField<?>> reply() {
        return new HeaderFields<>(new CmReply(), CmReply::wrap)
                .number("localCommId", 24, 0, 32, h -> h.localCommId() & U32, (h, v) -> h.localCommId(v.intValue()))
                .number("remoteCommId", 28, 0, 32, h -> h.remoteCommId() & U32, (h, v) -> h.remoteCommId(v.intValue()))
                .number("localQpn", 36, 0, 24, CmReply::localQpn, (h, v) -> h.localQpn(v.intValue()))
                .number(
                        "vendorIdHigh",
                        39,
                        0,
                        8,
                        h -> h.vendorId() >> 16,
                        (h, v) -> h.vendorId((h.vendorId() & 0xffff) | (v.intValue() << 16)))
                .number(
                        "vendorIdMiddle",
                        43,
                        0,
                        8,
                        h -> (h.vendorId() >> 8) & 0xff,
                        (h, v) -> h.vendorId((h.vendorId() & 0xff00ff) | ((v.intValue() & 0xff) << 8)))
                .number(
                        "vendorIdLow",
                        47,
                        0,
                        8,
                        h -> h.vendorId() & 0xff,
                        (h, v) -> h.vendorId((h.vendorId() & 0xffff00) | (v.intValue() & 0xff)))
                .number("startingPsn", 44, 0, 24, CmReply::startingPsn, (h, v) -> h.startingPsn(v.intValue()))
                .list();
    }

    private static List<HeaderField<?>> replyTail() {
        return new HeaderFields<>(new CmReply(), CmReply::wrap)
                .number(
                        "resources",
                        48,
                        0,
                        8,
                        CmReply::responderResources,
                        (h, v) -> h.responderResources(v.intValue()))
                .number("depth", 49, 0, 8, CmReply::initiatorDepth, (h, v) -> h.initiatorDepth(v.intValue()))
                .number("ackDelay", 50, 0, 5, CmReply::targetAckDelay, (h, v) -> h.targetAckDelay(v.intValue()))
                .number("failover", 50, 5, 2, CmReply::failoverAccepted, (h, v) -> h.failoverAccepted(v.intValue()))
                .flag("flowControl", 50, 7, CmReply::endToEndFlowControl, CmReply::endToEndFlowControl)
                .number("rnrRetryCount", 51, 0, 3, CmReply::rnrRetryCount, (h, v) -> h.rnrRetryCount(v.intValue()))
                .flag("srq", 51, 3, CmReply::srq, CmReply::srq)
                .number("localCaGuid", 52, 0, 64, CmReply::localCaGuid, CmReply::localCaGuid)
                .list();
    }

    private static List<HeaderField<?>> reject() {
        return new HeaderFields<>(new CmReject(), CmReject::wrap)
                .number("localCommId", 24, 0, 32, h -> h.localCommId() & U32, (h, v) -> h.localCommId(v.intValue()))
                .number("remoteCommId", 28, 0, 32, h -> h.remoteCommId() & U32, (h, v) -> h.remoteCommId(v.intValue()))
                .number(
                        "messageRejected",
                        32,
                        0,
                        2,
                        CmReject::messageRejected,
                        (h, v) -> h.messageRejected(v.intValue()))
                .number(
                        "infoLength",
                        33,
                        0,
                        7,
                        CmReject::rejectedInfoLength,
                        (h, v) -> h.rejectedInfoLength(v.intValue()))
                .number("reason", 34, 0, 16, CmReject::reason, (h, v) -> h.reason(v.intValue()))
                .list();
    }

    private static List<HeaderField<?>> mra() {
        return new HeaderFields<>(new Mra(), Mra::wrap)
                .number("localCommId", 24, 0, 32, h -> h.localCommId() & U32, (h, v) -> h.localCommId(v.intValue()))
                .number("remoteCommId", 28, 0, 32, h -> h.remoteCommId() & U32, (h, v) -> h.remoteCommId(v.intValue()))
                .number("messageMraed", 32, 0, 2, Mra::messageMraed, (h, v) -> h.messageMraed(v.intValue()))
                .number("serviceTimeout", 33, 0, 5, Mra::serviceTimeout, (h, v) -> h.serviceTimeout(v.intValue()))
                .list();
    }

    private static List<HeaderField<?>> others() {
        List<HeaderField<?>> readyToUse = new HeaderFields<>(new CmReadyToUse(), CmReadyToUse::wrap)
                .number("localCommId", 24, 0, 32, h -> h.localCommId() & U32, (h, v) -> h.localCommId(v.intValue()))
                .number("remoteCommId", 28, 0, 32, h -> h.remoteCommId() & U32, (h, v) -> h.remoteCommId(v.intValue()))
                .list();
        List<HeaderField<?>> disconnectRequest = new HeaderFields<>(
                        new CmDisconnectRequest(), CmDisconnectRequest::wrap)
                .number("localCommId", 24, 0, 32, h -> h.localCommId() & U32, (h, v) -> h.localCommId(v.intValue()))
                .number("remoteCommId", 28, 0, 32, h -> h.remoteCommId() & U32, (h, v) -> h.remoteCommId(v.intValue()))
                .number("remoteQpn", 32, 0, 24, CmDisconnectRequest::remoteQpn, (h, v) -> h.remoteQpn(v.intValue()))
                .list();
        List<HeaderField<?>> disconnectReply = new HeaderFields<>(new CmDisconnectReply(), CmDisconnectReply::wrap)
                .number("localCommId", 24, 0, 32, h -> h.localCommId() & U32, (h, v) -> h.localCommId(v.intValue()))
                .number("remoteCommId", 28, 0, 32, h -> h.remoteCommId() & U32, (h, v) -> h.remoteCommId(v.intValue()))
                .list();
        return Stream.of(readyToUse, disconnectRequest, disconnectReply)
                .<HeaderField<?>>flatMap(List::stream)
                .toList();
    }

    private static List<HeaderField<?>> sidr() {
        List<HeaderField<?>> request = new HeaderFields<>(new SidrRequest(), SidrRequest::wrap)
                .number("requestId", 24, 0, 32, h -> h.requestId() & U32, (h, v) -> h.requestId(v.intValue()))
                .number("partitionKey", 28, 0, 16, SidrRequest::partitionKey, (h, v) -> h.partitionKey(v.intValue()))
                .number("serviceId", 32, 0, 64, SidrRequest::serviceId, SidrRequest::serviceId)
                .list();
        List<HeaderField<?>> reply = new HeaderFields<>(new SidrReply(), SidrReply::wrap)
                .number("requestId", 24, 0, 32, h -> h.requestId() & U32, (h, v) -> h.requestId(v.intValue()))
                .number("status", 28, 0, 8, SidrReply::status, (h, v) -> h.status(v.intValue()))
                .number(
                        "infoLength",
                        29,
                        0,
                        8,
                        SidrReply::additionalInfoLength,
                        (h, v) -> h.additionalInfoLength(v.intValue()))
                .number(
                        "vendorIdHigh",
                        30,
                        0,
                        16,
                        h -> h.vendorId() >> 8,
                        (h, v) -> h.vendorId((h.vendorId() & 0xff) | (v.intValue() << 8)))
                .number("qpn", 32, 0, 24, SidrReply::qpn, (h, v) -> h.qpn(v.intValue()))
                .number(
                        "vendorIdLow",
                        35,
                        0,
                        8,
                        h -> h.vendorId() & 0xff,
                        (h, v) -> h.vendorId((h.vendorId() & 0xffff00) | (v.intValue() & 0xff)))
                .number("serviceId", 36, 0, 64, SidrReply::serviceId, SidrReply::serviceId)
                .number("queueKey", 44, 0, 32, h -> h.queueKey() & U32, (h, v) -> h.queueKey(v.intValue()))
                .list();
        return Stream.concat(request.stream(), reply.stream()).toList();
    }

    @Provide
    Arbitrary<HeaderField<?>> fields() {
        return Arbitraries.of(FIELDS);
    }

    @Property(tries = 3000)
    void aGetterReadsTheBitsOfItsField(
            @ForAll("fields") HeaderField<?> field,
            @ForAll @Size(ROOM) byte[] bytes,
            @ForAll @IntRange(max = 20) int at) {
        assertThat(field.get(bytes, at)).isEqualTo(field.modelGet(bytes, at));
    }

    @Property(tries = 3000)
    void aSetterWritesTheBitsOfItsFieldAndNoOthers(
            @ForAll("fields") HeaderField<?> field,
            @ForAll @Size(ROOM) byte[] bytes,
            @ForAll @IntRange(max = 20) int at,
            @ForAll long value) {
        assertThat(field.set(bytes, at, value)).isEqualTo(field.modelSet(bytes, at, value));
    }

    @Property
    void aMessageThatIsNotWhollyThereIsNotReadBeyondItsEnd(@ForAll("fields") HeaderField<?> field) {
        assertThatThrownBy(field::getBeyondTheEnd).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
