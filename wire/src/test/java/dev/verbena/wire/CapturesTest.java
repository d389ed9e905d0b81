// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reading packets of the kernel's rdma_rxe by flyweights and writing them again yields the same bytes. */
class CapturesTest {
    private static final byte RUBBISH = (byte) 0xa5;

    /** Packets of RDMA WRITEs in the captures of LNet that are kept with 16 bytes of payload only. */
    private static final int CUT = 11_264;
    /** Packets in all captures; none of them may go missing unnoticed. */
    private static final int ALL = 16_442;

    private final RocePacket captured = new RocePacket(Arena.ofAuto());
    private final RocePacket rebuilt = new RocePacket(Arena.ofAuto());

    static List<Path> captures() {
        return Captures.files();
    }

    static Stream<Path> decodedCaptures() {
        return Captures.files().stream().filter(file -> Files.exists(decodedBy(file)));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyPacketParsesAndItsIcrcVerifies(Path capture) {
        List<byte[]> datagrams = Captures.datagrams(capture);

        assertThat(datagrams).isNotEmpty();
        for (byte[] datagram : datagrams) {
            assertThat(Packets.load(captured, datagram)).as(hex(datagram)).isEqualTo(PacketDefect.OK);
            assertThat(captured.length()).isEqualTo(datagram.length);
            assertThat(captured.icrcValid()).as(hex(datagram)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyPacketRebuiltFieldByFieldIsTheSame(Path capture) {
        for (byte[] datagram : Captures.datagrams(capture)) {
            Packets.load(captured, datagram);
            rebuilt.segment().fill(RUBBISH);

            rebuild();

            assertThat(hex(Packets.bytes(rebuilt))).isEqualTo(hex(datagram));
        }
    }

    /** Their ICRC covers bytes that the files do not have. */
    @Test
    void theHeadersOfPacketsThatWereCutInTheFileAreRebuiltFieldByField() {
        int cut = 0;
        for (Path file : Captures.files()) {
            for (Captures.Captured datagram : Captures.records(file)) {
                if (datagram.isWhole()) {
                    continue;
                }
                byte[] kept = datagram.bytes();
                assertThat(Packets.load(captured, Arrays.copyOf(kept, datagram.length())))
                        .as(hex(kept))
                        .isEqualTo(PacketDefect.OK);
                rebuilt.segment().fill(RUBBISH);

                rebuild();

                byte[] bytes = Packets.bytes(rebuilt);
                assertThat(bytes).hasSize(datagram.length());
                assertThat(hex(Arrays.copyOf(bytes, kept.length))).isEqualTo(hex(kept));
                cut++;
            }
        }
        assertThat(cut).isEqualTo(CUT);
    }

    @ParameterizedTest
    @MethodSource("decodedCaptures")
    void everyPacketIsReadAsTsharkReadsIt(Path capture) throws IOException {
        List<String> lines = Files.readAllLines(decodedBy(capture));
        String[] names = lines.getFirst().split("\t", -1);
        List<byte[]> datagrams = Captures.datagrams(capture);
        assertThat(datagrams).hasSize(lines.size() - 1);
        for (int i = 0; i < datagrams.size(); i++) {
            Packets.load(captured, datagrams.get(i));
            Map<String, String> expected = new HashMap<>();
            String[] values = lines.get(i + 1).split("\t", -1);
            for (int column = 0; column < names.length; column++) {
                if (!values[column].isEmpty()) {
                    expected.put(names[column], normalized(names[column], values[column]));
                }
            }
            // Frame number and time belong to the capture, the MAD's attribute to the payload.
            expected.keySet().removeAll(Set.of("frame.number", "frame.time_relative", "infiniband.mad.attributeid"));

            assertThat(decoded()).as(captured.toString()).containsAllEntriesOf(expected);
        }
    }

    @Test
    void noCaptureIsMissing() {
        int packets = 0;
        for (Path file : captures()) {
            packets += Captures.records(file).size();
        }
        assertThat(captures()).hasSize(93);
        assertThat(packets).isEqualTo(ALL);
    }

    @Test
    void theCapturesHoldAllKindsOfHeaders() {
        Set<Opcode> seen = EnumSet.noneOf(Opcode.class);
        for (byte[] datagram : Captures.allDatagrams()) {
            Packets.load(captured, datagram);
            seen.add(captured.opcode());
        }

        assertThat(seen)
                .anyMatch(opcode -> opcode.has(Extension.DETH))
                .anyMatch(opcode -> opcode.has(Extension.RETH))
                .anyMatch(opcode -> opcode.has(Extension.AETH));
        assertThat(seen)
                .anyMatch(opcode -> opcode.has(Extension.ATOMIC_ETH))
                .anyMatch(opcode -> opcode.has(Extension.ATOMIC_ACK_ETH));
        assertThat(seen)
                .anyMatch(opcode -> opcode.has(Extension.IMM_DT))
                .anyMatch(opcode -> opcode.has(Extension.IETH));
        assertThat(seen.stream().map(Opcode::transport)).contains(Transport.RC, Transport.UC, Transport.UD);
    }

    private void rebuild() {
        boolean ipv6 = captured.ipv6();
        int trafficClass = ipv6
                ? captured.ipv6Header().trafficClass()
                : captured.ipv4Header().trafficClass();
        int hopLimit =
                ipv6 ? captured.ipv6Header().hopLimit() : captured.ipv4Header().timeToLive();
        rebuilt.begin(
                captured.sourceHi(),
                captured.sourceLo(),
                captured.destinationHi(),
                captured.destinationLo(),
                captured.udpHeader().sourcePort(),
                trafficClass,
                hopLimit);
        if (ipv6) {
            rebuilt.ipv6Header().flowLabel(captured.ipv6Header().flowLabel());
        } else {
            rebuilt.ipv4Header()
                    .identification(captured.ipv4Header().identification())
                    .flagsAndFragment(captured.ipv4Header().flagsAndFragment());
        }
        Bth from = captured.bth();
        rebuilt.beginTransport(captured.opcode())
                .solicitedEvent(from.solicitedEvent())
                .migrationRequest(from.migrationRequest())
                .transportVersion(from.transportVersion())
                .partitionKey(from.partitionKey())
                .fecn(from.fecn())
                .becn(from.becn())
                .destinationQpn(from.destinationQpn())
                .ackRequest(from.ackRequest())
                .psn(from.psn());
        rebuildExtensions(captured.opcode());
        MemorySegment.copy(
                captured.segment(),
                captured.payloadOffset(),
                rebuilt.segment(),
                rebuilt.payloadOffset(),
                captured.payloadLength());
        rebuilt.payloadLength(captured.payloadLength()).seal();
    }

    private void rebuildExtensions(Opcode opcode) {
        if (opcode.has(Extension.DETH)) {
            rebuilt.deth()
                    .initialize(captured.deth().queueKey(), captured.deth().sourceQpn());
        }
        if (opcode.has(Extension.RETH)) {
            rebuilt.reth()
                    .virtualAddress(captured.reth().virtualAddress())
                    .remoteKey(captured.reth().remoteKey())
                    .dmaLength(captured.reth().dmaLength());
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            rebuilt.atomicEth()
                    .virtualAddress(captured.atomicEth().virtualAddress())
                    .remoteKey(captured.atomicEth().remoteKey())
                    .swapOrAdd(captured.atomicEth().swapOrAdd())
                    .compare(captured.atomicEth().compare());
        }
        if (opcode.has(Extension.AETH)) {
            rebuilt.aeth()
                    .initialize(captured.aeth().syndrome(), captured.aeth().msn());
        }
        if (opcode.has(Extension.ATOMIC_ACK_ETH)) {
            rebuilt.atomicAckEth().originalValue(captured.atomicAckEth().originalValue());
        }
        if (opcode.has(Extension.IETH)) {
            rebuilt.ieth().remoteKey(captured.ieth().remoteKey());
        }
        if (opcode.has(Extension.IMM_DT)) {
            rebuilt.immDt().data(captured.immDt().data());
        }
    }

    /** Returns Tshark's value, with addresses unabbreviated and values that Tshark prints twice only once. */
    private static String normalized(String name, String value) throws IOException {
        if (name.startsWith("ipv6")) {
            ByteBuffer address = ByteBuffer.wrap(InetAddress.getByName(value).getAddress());
            return GidAddress.format(address.getLong(), address.getLong());
        }
        return value.split(",", 2)[0];
    }

    /** Our reading of the packet, in tshark's words. */
    private Map<String, String> decoded() {
        Map<String, String> all = new HashMap<>();
        String ip = captured.ipv6() ? "ipv6" : "ip";
        all.put(ip + ".src", GidAddress.format(captured.sourceHi(), captured.sourceLo()));
        all.put(ip + ".dst", GidAddress.format(captured.destinationHi(), captured.destinationLo()));
        all.put("udp.srcport", "" + captured.udpHeader().sourcePort());
        Bth bth = captured.bth();
        all.put("infiniband.bth.opcode", "" + bth.opcode());
        all.put("infiniband.bth.destqp", "0x%06x".formatted(bth.destinationQpn()));
        all.put("infiniband.bth.psn", "" + bth.psn());
        all.put("infiniband.bth.a", bth.ackRequest() ? "1" : "0");
        all.put("infiniband.bth.se", bth.solicitedEvent() ? "1" : "0");
        all.put("infiniband.bth.padcnt", "" + bth.padCount());
        all.put("infiniband.invariant.crc", "0x%08x".formatted(Integer.reverseBytes(captured.icrc())));
        Opcode opcode = captured.opcode();
        if (opcode.has(Extension.AETH)) {
            all.put("infiniband.aeth.syndrome", "" + captured.aeth().syndrome());
            all.put("infiniband.aeth.msn", "" + captured.aeth().msn());
        }
        if (opcode.has(Extension.RETH)) {
            all.put("infiniband.reth.va", "0x%016x".formatted(captured.reth().virtualAddress()));
            all.put("infiniband.reth.r_key", "0x%08x".formatted(captured.reth().remoteKey()));
            all.put("infiniband.reth.dmalen", "" + captured.reth().dmaLength());
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            // Tshark has one name for these two, whichever header they are in.
            all.put(
                    "infiniband.reth.va",
                    "0x%016x".formatted(captured.atomicEth().virtualAddress()));
            all.put(
                    "infiniband.reth.r_key",
                    "0x%08x".formatted(captured.atomicEth().remoteKey()));
            all.put(
                    "infiniband.atomiceth.swapdt",
                    Long.toUnsignedString(captured.atomicEth().swapOrAdd()));
            all.put(
                    "infiniband.atomiceth.cmpdt",
                    Long.toUnsignedString(captured.atomicEth().compare()));
        }
        if (opcode.has(Extension.IMM_DT)) {
            all.put("infiniband.immdt", "%08x".formatted(captured.immDt().data()));
        }
        if (opcode.has(Extension.DETH)) {
            all.put("infiniband.deth.q_key", "0x%016x".formatted(captured.deth().queueKey() & 0xffff_ffffL));
            all.put("infiniband.deth.srcqp", "0x%08x".formatted(captured.deth().sourceQpn()));
        }
        return all;
    }

    private static Path decodedBy(Path capture) {
        return capture.resolveSibling(capture.getFileName().toString().replace(".pcap", ".tsv"));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
