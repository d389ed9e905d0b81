// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Bth;
import dev.verbena.wire.Captures;
import dev.verbena.wire.Deth;
import dev.verbena.wire.GidAddress;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Packets;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.UdpSourcePort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reading CM messages of the kernel's rdma_rxe and rdma_cm by flyweights and writing them again yields the same bytes.
 */
class CmCapturesTest {
    private static final int INVALID_SERVICE_ID = 8;
    private static final int CONSUMER_DEFINED = 28;

    private final RocePacket packet = new RocePacket(Arena.ofAuto());

    static List<Path> captures() {
        return Captures.files();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyMessageRebuiltFieldByFieldIsTheSame(Path capture) {
        for (byte[] mad : mads(capture)) {
            byte[] rebuilt = new byte[MadHeader.MAD_LENGTH];
            Arrays.fill(rebuilt, (byte) 0xa5);

            CmRebuilder.rebuild(mad, rebuilt);

            assertThat(HexFormat.of().formatHex(rebuilt))
                    .isEqualTo(HexFormat.of().formatHex(mad));
        }
    }

    @Test
    void theAttributesAreThoseThatTsharkSees() throws Exception {
        Map<CmAttribute, Integer> seen = new EnumMap<>(CmAttribute.class);
        Map<CmAttribute, Integer> expected = new EnumMap<>(CmAttribute.class);
        for (Path capture : Captures.files()) {
            Path decoded =
                    capture.resolveSibling(capture.getFileName().toString().replace(".pcap", ".tsv"));
            if (!Files.exists(decoded)) {
                continue;
            }
            mads(capture).forEach(mad -> seen.merge(attribute(mad), 1, Integer::sum));
            List<String> lines = Files.readAllLines(decoded);
            int column = Arrays.asList(lines.getFirst().split("\t", -1)).indexOf("infiniband.mad.attributeid");
            for (String line : lines.subList(1, lines.size())) {
                String value = line.split("\t", -1)[column];
                if (!value.isEmpty()) {
                    CmAttribute attribute = Objects.requireNonNull(CmAttribute.of(Integer.decode(value)));
                    expected.merge(attribute, 1, Integer::sum);
                }
            }
        }

        assertThat(seen).isEqualTo(expected);
        assertThat(seen)
                .containsKeys(
                        CmAttribute.REQ,
                        CmAttribute.REP,
                        CmAttribute.RTU,
                        CmAttribute.REJ,
                        CmAttribute.DREQ,
                        CmAttribute.DREP,
                        CmAttribute.SIDR_REQ,
                        CmAttribute.SIDR_REP);
    }

    @Test
    void theRequestOfRpingReadsAsRpingWasCalled() {
        CmRequest request = new CmRequest().wrap(first("rping", CmAttribute.REQ), 0);
        RdmaCmHeader addresses = new RdmaCmHeader().wrap(request);

        assertThat(ServiceId.portSpace(request.getLong(CmRequest.SERVICE_ID))).isEqualTo(ServiceId.PORT_SPACE_TCP);
        assertThat(ServiceId.port(request.getLong(CmRequest.SERVICE_ID))).isEqualTo(7174);
        assertThat(request.get(CmRequest.TRANSPORT_SERVICE_TYPE)).isEqualTo(CmRequest.RC);
        assertThat(request.get(CmRequest.PARTITION_KEY)).isEqualTo(Bth.DEFAULT_PARTITION_KEY);
        assertThat(request.get(CmRequest.PATH_MTU)).isEqualTo(3);
        assertThat(request.get(CmRequest.RETRY_COUNT)).isEqualTo(7);
        assertThat(request.get(CmRequest.RNR_RETRY_COUNT)).isEqualTo(7);
        assertThat(request.get(CmRequest.MAX_CM_RETRIES)).isEqualTo(15);
        assertThat(request.get(CmRequest.REMOTE_CM_RESPONSE_TIMEOUT)).isEqualTo(20);
        assertThat(request.get(CmRequest.LOCAL_CM_RESPONSE_TIMEOUT)).isEqualTo(20);
        assertThat(request.get(CmRequest.RESPONDER_RESOURCES)).isEqualTo(1);
        assertThat(request.get(CmRequest.INITIATOR_DEPTH)).isEqualTo(1);
        CmPath path = request.primaryPath();
        assertThat(path.get(CmPath.LOCAL_LID)).isEqualTo(CmPath.PERMISSIVE_LID);
        assertThat(GidAddress.format(path.getLong(CmPath.LOCAL_GID_HI), path.getLong(CmPath.LOCAL_GID_LO)))
                .isEqualTo("10.77.0.3");
        assertThat(GidAddress.format(path.getLong(CmPath.REMOTE_GID_HI), path.getLong(CmPath.REMOTE_GID_LO)))
                .isEqualTo("10.77.0.2");
        assertThat(path.get(CmPath.HOP_LIMIT)).isEqualTo(64);
        assertThat(path.get(CmPath.LOCAL_ACK_TIMEOUT)).isEqualTo(17);
        assertThat(path.get(CmPath.FLOW_LABEL))
                .isEqualTo(UdpSourcePort.cmFlowLabel(addresses.get(RdmaCmHeader.PORT), 7174));
        assertThat(addresses.get(RdmaCmHeader.CMA_VERSION)).isZero();
        assertThat(addresses.get(RdmaCmHeader.IP_VERSION)).isEqualTo(4);
        assertThat(GidAddress.format(addresses.sourceHi(), addresses.sourceLo()))
                .isEqualTo("10.77.0.3");
        assertThat(GidAddress.format(addresses.destinationHi(), addresses.destinationLo()))
                .isEqualTo("10.77.0.2");
        assertThat(request.toString()).contains("serviceId=0x0000000001061c06").contains("10.77.0.3->10.77.0.2");
    }

    @Test
    void theRequestOverIpv6HasTheAddressesOfBothEnds() {
        CmRequest request = new CmRequest().wrap(first("rping_ipv6", CmAttribute.REQ), 0);
        RdmaCmHeader addresses = new RdmaCmHeader().wrap(request);

        assertThat(addresses.get(RdmaCmHeader.IP_VERSION)).isEqualTo(6);
        assertThat(GidAddress.format(addresses.sourceHi(), addresses.sourceLo()))
                .isEqualTo("fd77:0000:0000:0000:0000:0000:0000:0003");
        assertThat(GidAddress.format(addresses.destinationHi(), addresses.destinationLo()))
                .isEqualTo("fd77:0000:0000:0000:0000:0000:0000:0002");
    }

    @Test
    void theMessagesOfOneConnectionBelongTogether() {
        CmRequest request = new CmRequest().wrap(first("rping", CmAttribute.REQ), 0);
        CmReply reply = new CmReply().wrap(first("rping", CmAttribute.REP), 0);
        CmReadyToUse readyToUse = new CmReadyToUse().wrap(first("rping", CmAttribute.RTU), 0);
        CmDisconnectRequest disconnect = new CmDisconnectRequest().wrap(first("rping", CmAttribute.DREQ), 0);

        assertThat(reply.get(CmReply.REMOTE_COMM_ID)).isEqualTo(request.get(CmRequest.LOCAL_COMM_ID));
        assertThat(reply.transactionId()).isEqualTo(request.transactionId());
        assertThat(readyToUse.get(CmReadyToUse.LOCAL_COMM_ID)).isEqualTo(request.get(CmRequest.LOCAL_COMM_ID));
        assertThat(readyToUse.get(CmReadyToUse.REMOTE_COMM_ID)).isEqualTo(reply.get(CmReply.LOCAL_COMM_ID));
        assertThat(disconnect.get(CmDisconnectRequest.REMOTE_QPN))
                .isIn(request.get(CmRequest.LOCAL_QPN), reply.get(CmReply.LOCAL_QPN));
    }

    @Test
    void aMissingListenerIsAnInvalidServiceId() {
        CmReject reject = new CmReject().wrap(first("cm_rej_no_listener", CmAttribute.REJ), 0);

        assertThat(reject.get(CmReject.REASON)).isEqualTo(INVALID_SERVICE_ID);
        assertThat(reject.get(CmReject.MESSAGE_REJECTED)).isEqualTo(CmReject.REQ);
        assertThat(reject.toString()).contains("reason=0x0008");
    }

    @Test
    void aRejectingConsumersPrivateDataHasTheReason() {
        CmReject reject = new CmReject().wrap(first("vx_reject", CmAttribute.REJ), 0);

        assertThat(reject.get(CmReject.REASON)).isEqualTo(CONSUMER_DEFINED);
        assertThat(new String(reject.privateData(), StandardCharsets.US_ASCII).trim())
                .isNotEmpty();
    }

    @Test
    void theServiceIdOfADatagramServiceResolvesToItsQueuePair() {
        SidrRequest request = new SidrRequest().wrap(first("udaddy", CmAttribute.SIDR_REQ), 0);
        SidrReply reply = new SidrReply().wrap(first("udaddy", CmAttribute.SIDR_REP), 0);

        assertThat(request.getLong(SidrRequest.SERVICE_ID)).isEqualTo(ServiceId.of(ServiceId.PORT_SPACE_UDP, 7174));
        assertThat(new RdmaCmHeader().wrap(request).get(RdmaCmHeader.IP_VERSION))
                .isEqualTo(4);
        assertThat(reply.get(SidrReply.REQUEST_ID)).isEqualTo(request.get(SidrRequest.REQUEST_ID));
        assertThat(reply.getLong(SidrReply.SERVICE_ID)).isEqualTo(request.getLong(SidrRequest.SERVICE_ID));
        assertThat(reply.get(SidrReply.STATUS)).isEqualTo(SidrReply.STATUS_VALID);
        assertThat(reply.get(SidrReply.QUEUE_KEY)).isEqualTo(0x0123_4567);
        assertThat(reply.get(SidrReply.QPN)).isPositive();
    }

    private MemorySegment first(String capture, CmAttribute attribute) {
        return mads(Captures.file(capture)).stream()
                .filter(mad -> attribute(mad) == attribute)
                .findFirst()
                .map(MemorySegment::ofArray)
                .orElseThrow();
    }

    private List<byte[]> mads(Path capture) {
        List<byte[]> mads = new ArrayList<>();
        for (byte[] datagram : Captures.datagrams(capture)) {
            assertThat(Packets.load(packet, datagram)).isEqualTo(PacketDefect.OK);
            if (packet.bth().destinationQpn() == MadHeader.GSI_QPN) {
                assertThat(packet.deth().queueKey()).isEqualTo(Deth.GSI_QUEUE_KEY);
                assertThat(packet.udpHeader().sourcePort()).isEqualTo(UdpSourcePort.forQpn(MadHeader.GSI_QPN));
                byte[] mad = Packets.payload(packet);
                assertThat(mad).hasSize(MadHeader.MAD_LENGTH);
                mads.add(mad);
            }
        }
        return mads;
    }

    private static CmAttribute attribute(byte[] mad) {
        MadHeader header = new MadHeader().wrap(MemorySegment.ofArray(mad), 0);
        assertThat(header.isConnectionManagement()).isTrue();
        return Objects.requireNonNull(CmAttribute.of(header.get(MadHeader.ATTRIBUTE_ID)));
    }
}
