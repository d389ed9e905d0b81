// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Each field of each header lies where the specifications draw it, and a setter touches no other bit. */
class HeaderFieldsTest {
    private static final int ROOM = 64;

    private static final List<HeaderField<?>> FIELDS = Stream.of(ip(), transport(), extensions())
            .flatMap(List::stream)
            .flatMap(header -> header.list().stream())
            .toList();

    private static List<HeaderFields<?>> ip() {
        return List.of(
                new HeaderFields<>(new Ipv4Header())
                        .number("version", 0, 0, 4, Ipv4Header::version, (h, v) -> h.version(v.intValue()))
                        .number(
                                "internetHeaderLength",
                                0,
                                4,
                                4,
                                Ipv4Header::internetHeaderLength,
                                (h, v) -> h.internetHeaderLength(v.intValue()))
                        .number(
                                "trafficClass",
                                1,
                                0,
                                8,
                                Ipv4Header::trafficClass,
                                (h, v) -> h.trafficClass(v.intValue()))
                        .number("totalLength", 2, 0, 16, Ipv4Header::totalLength, (h, v) -> h.totalLength(v.intValue()))
                        .number(
                                "identification",
                                4,
                                0,
                                16,
                                Ipv4Header::identification,
                                (h, v) -> h.identification(v.intValue()))
                        .number(
                                "flagsAndFragment",
                                6,
                                0,
                                16,
                                Ipv4Header::flagsAndFragment,
                                (h, v) -> h.flagsAndFragment(v.intValue()))
                        .number("timeToLive", 8, 0, 8, Ipv4Header::timeToLive, (h, v) -> h.timeToLive(v.intValue()))
                        .number("protocol", 9, 0, 8, Ipv4Header::protocol, (h, v) -> h.protocol(v.intValue()))
                        .number(
                                "headerChecksum",
                                10,
                                0,
                                16,
                                Ipv4Header::headerChecksum,
                                (h, v) -> h.headerChecksum(v.intValue()))
                        .number("source", 12, 0, 32, h -> h.source() & 0xffff_ffffL, (h, v) -> h.source(v.intValue()))
                        .number(
                                "destination",
                                16,
                                0,
                                32,
                                h -> h.destination() & 0xffff_ffffL,
                                (h, v) -> h.destination(v.intValue())),
                new HeaderFields<>(new Ipv6Header())
                        .number("version", 0, 0, 4, Ipv6Header::version, (h, v) -> h.version(v.intValue()))
                        .number(
                                "trafficClass",
                                0,
                                4,
                                8,
                                Ipv6Header::trafficClass,
                                (h, v) -> h.trafficClass(v.intValue()))
                        .number("flowLabel", 1, 4, 20, Ipv6Header::flowLabel, (h, v) -> h.flowLabel(v.intValue()))
                        .number(
                                "payloadLength",
                                4,
                                0,
                                16,
                                Ipv6Header::payloadLength,
                                (h, v) -> h.payloadLength(v.intValue()))
                        .number("nextHeader", 6, 0, 8, Ipv6Header::nextHeader, (h, v) -> h.nextHeader(v.intValue()))
                        .number("hopLimit", 7, 0, 8, Ipv6Header::hopLimit, (h, v) -> h.hopLimit(v.intValue()))
                        .number("sourceHi", 8, 0, 64, Ipv6Header::sourceHi, Ipv6Header::sourceHi)
                        .number("sourceLo", 16, 0, 64, Ipv6Header::sourceLo, Ipv6Header::sourceLo)
                        .number("destinationHi", 24, 0, 64, Ipv6Header::destinationHi, Ipv6Header::destinationHi)
                        .number("destinationLo", 32, 0, 64, Ipv6Header::destinationLo, Ipv6Header::destinationLo),
                new HeaderFields<>(new UdpHeader())
                        .number("sourcePort", 0, 0, 16, UdpHeader::sourcePort, (h, v) -> h.sourcePort(v.intValue()))
                        .number(
                                "destinationPort",
                                2,
                                0,
                                16,
                                UdpHeader::destinationPort,
                                (h, v) -> h.destinationPort(v.intValue()))
                        .number("length", 4, 0, 16, UdpHeader::length, (h, v) -> h.length(v.intValue()))
                        .number("checksum", 6, 0, 16, UdpHeader::checksum, (h, v) -> h.checksum(v.intValue())));
    }

    private static List<HeaderFields<?>> transport() {
        return List.of(new HeaderFields<>(new Bth())
                .number("opcode", 0, 0, 8, Bth::opcode, (h, v) -> h.opcode(v.intValue()))
                .flag("solicitedEvent", 1, 0, Bth::solicitedEvent, Bth::solicitedEvent)
                .flag("migrationRequest", 1, 1, Bth::migrationRequest, Bth::migrationRequest)
                .number("padCount", 1, 2, 2, Bth::padCount, (h, v) -> h.padCount(v.intValue()))
                .number("tver", 1, 4, 4, Bth::transportVersion, (h, v) -> h.transportVersion(v.intValue()))
                .number("partitionKey", 2, 0, 16, Bth::partitionKey, (h, v) -> h.partitionKey(v.intValue()))
                .flag("fecn", 4, 0, Bth::fecn, Bth::fecn)
                .flag("becn", 4, 1, Bth::becn, Bth::becn)
                .number("qpn", 5, 0, 24, Bth::destinationQpn, (h, v) -> h.destinationQpn(v.intValue()))
                .flag("ackRequest", 8, 0, Bth::ackRequest, Bth::ackRequest)
                .number("psn", 9, 0, 24, Bth::psn, (h, v) -> h.psn(v.intValue())));
    }

    private static List<HeaderFields<?>> extensions() {
        return List.of(
                new HeaderFields<>(new Deth())
                        .number(
                                "queueKey",
                                0,
                                0,
                                32,
                                h -> h.queueKey() & 0xffff_ffffL,
                                (h, v) -> h.queueKey(v.intValue()))
                        .number("sourceQpn", 5, 0, 24, Deth::sourceQpn, (h, v) -> h.sourceQpn(v.intValue())),
                new HeaderFields<>(new Reth())
                        .number("virtualAddress", 0, 0, 64, Reth::virtualAddress, Reth::virtualAddress)
                        .number(
                                "remoteKey",
                                8,
                                0,
                                32,
                                h -> h.remoteKey() & 0xffff_ffffL,
                                (h, v) -> h.remoteKey(v.intValue()))
                        .number(
                                "dmaLength",
                                12,
                                0,
                                32,
                                h -> h.dmaLength() & 0xffff_ffffL,
                                (h, v) -> h.dmaLength(v.intValue())),
                new HeaderFields<>(new AtomicEth())
                        .number("virtualAddress", 0, 0, 64, AtomicEth::virtualAddress, AtomicEth::virtualAddress)
                        .number(
                                "remoteKey",
                                8,
                                0,
                                32,
                                h -> h.remoteKey() & 0xffff_ffffL,
                                (h, v) -> h.remoteKey(v.intValue()))
                        .number("swapOrAdd", 12, 0, 64, AtomicEth::swapOrAdd, AtomicEth::swapOrAdd)
                        .number("compare", 20, 0, 64, AtomicEth::compare, AtomicEth::compare),
                new HeaderFields<>(new Aeth())
                        .number("syndrome", 0, 0, 8, Aeth::syndrome, (h, v) -> h.syndrome(v.intValue()))
                        .number("msn", 1, 0, 24, Aeth::msn, (h, v) -> h.msn(v.intValue())),
                new HeaderFields<>(new AtomicAckEth())
                        .number("originalValue", 0, 0, 64, AtomicAckEth::originalValue, AtomicAckEth::originalValue),
                new HeaderFields<>(new ImmDt())
                        .number("data", 0, 0, 32, h -> h.data() & 0xffff_ffffL, (h, v) -> h.data(v.intValue())),
                new HeaderFields<>(new Ieth())
                        .number(
                                "remoteKey",
                                0,
                                0,
                                32,
                                h -> h.remoteKey() & 0xffff_ffffL,
                                (h, v) -> h.remoteKey(v.intValue())),
                new HeaderFields<>(new Feth())
                        .number("selectivity", 3, 2, 2, Feth::selectivity, (h, v) -> h.selectivity(v.intValue()))
                        .number("placement", 3, 4, 4, Feth::placement, (h, v) -> h.placement(v.intValue())));
    }

    @Provide
    Arbitrary<HeaderField<?>> fields() {
        return Arbitraries.of(FIELDS);
    }

    @Property(tries = 5000)
    void aGetterReadsTheBitsOfItsField(
            @ForAll("fields") HeaderField<?> field,
            @ForAll @Size(ROOM) byte[] bytes,
            @ForAll @IntRange(max = 20) int at) {
        assertThat(field.get(bytes, at)).isEqualTo(field.modelGet(bytes, at));
    }

    @Property(tries = 5000)
    void aSetterWritesOnlyTheBitsOfItsField(
            @ForAll("fields") HeaderField<?> field,
            @ForAll @Size(ROOM) byte[] bytes,
            @ForAll @IntRange(max = 20) int at,
            @ForAll long value) {
        assertThat(field.set(bytes, at, value)).isEqualTo(field.modelSet(bytes, at, value));
    }

    @Property
    void aHeaderThatIsNotWhollyThereIsNotReadBeyondItsEnd(@ForAll("fields") HeaderField<?> field) {
        assertThatThrownBy(field::getBeyondTheEnd).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Example
    void aFlyweightThatViewsNothingRefusesToReadAndToWrite() {
        assertThatThrownBy(() -> new Bth().psn()).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new Reth().remoteKey(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(new Aeth()).hasToString("Aeth[not wrapped]");
    }

    @Example
    void aCutHeaderReportsIt() {
        assertThat(new Bth().wrap(Arena.ofAuto().allocate(11), 0)).hasToString("Bth[truncated]");
    }

    @Example
    void headersPrintTheirFields() {
        MemorySegment bytes = Arena.ofAuto().allocate(40);

        assertThat(new Bth()
                        .wrap(bytes, 0)
                        .initialize(Opcode.RC_SEND_ONLY)
                        .destinationQpn(0x11)
                        .psn(0x626753)
                        .ackRequest(true))
                .hasToString("Bth[RC_SEND_ONLY qpn=0x000011 psn=0x626753 ackReq pad=0 tver=0 pkey=0xffff]");
        assertThat(new Aeth().wrap(bytes, 12).initialize(Aeth.NAK_REMOTE_ACCESS, 7))
                .hasToString("Aeth[NAK code=2 msn=0x000007]");
        assertThat(new Feth().wrap(bytes, 16).initialize(Feth.WHOLE_REGION, Feth.GLOBAL_VISIBILITY | Feth.PERSISTENCE))
                .hasToString("Feth[sel=1 plt=3]");
        assertThat(new Reth()
                        .wrap(bytes, 20)
                        .virtualAddress(0x1000)
                        .remoteKey(0x1234)
                        .dmaLength(-1))
                .hasToString("Reth[va=0x0000000000001000 rkey=0x00001234 len=4294967295]");
    }

    @Property
    void theUpperThreeBitsOfASyndromeAreItsKind(@ForAll @IntRange(max = 0xff) int syndrome) {
        Aeth aeth = new Aeth().wrap(Arena.ofAuto().allocate(4), 0).initialize(syndrome, 1);

        Aeth.Kind expected = switch (syndrome >> 5) {
            case 0b000 -> Aeth.Kind.ACK;
            case 0b001 -> Aeth.Kind.RNR_NAK;
            case 0b011 -> Aeth.Kind.NAK;
            default -> Aeth.Kind.RESERVED;
        };
        assertThat(aeth.kind()).isEqualTo(expected);
        assertThat(aeth.nakCode()).isEqualTo(syndrome & 0x1f);
        assertThat(aeth.rnrTimerCode()).isEqualTo(syndrome & 0x1f);
        assertThat(aeth.creditCode()).isEqualTo(syndrome & 0x1f);
    }

    @Property
    void anIpv4ChecksumMakesTheSumOfTheHeaderAllOnes(@ForAll @Size(20) byte[] header) {
        Ipv4Header ipv4 = new Ipv4Header().wrap(MemorySegment.ofArray(header), 0);
        ipv4.headerChecksum(ipv4.computeChecksum());

        int sum = 0;
        for (int i = 0; i < header.length; i += 2) {
            sum += ((header[i] & 0xff) << 8) | (header[i + 1] & 0xff);
        }
        assertThat(sum % 0xffff).isZero();
        assertThat(ipv4.checksumValid()).isTrue();
        assertThat(ipv4.headerChecksum(ipv4.headerChecksum() ^ 0x0100).checksumValid())
                .isFalse();
    }
}
