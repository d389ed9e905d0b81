// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The parser returns the values from which a packet was built. */
class RocePacketTest {
    private static final long LINK_LOCAL = 0xfe80_0000_0000_0000L;
    private static final int HOP_LIMIT = 64;

    private final RocePacket built = new RocePacket(Arena.ofAuto());
    private final RocePacket parsed = new RocePacket(Arena.ofAuto());

    /** A header, its length in the specification, and its view. */
    private record Header(Extension extension, int length, Function<RocePacket, Flyweight<?>> view) {}

    private static final List<Header> HEADERS = List.of(
            new Header(Extension.DETH, 8, RocePacket::deth),
            new Header(Extension.FETH, 4, RocePacket::feth),
            new Header(Extension.RETH, 16, RocePacket::reth),
            new Header(Extension.ATOMIC_ETH, 28, RocePacket::atomicEth),
            new Header(Extension.AETH, 4, RocePacket::aeth),
            new Header(Extension.ATOMIC_ACK_ETH, 8, RocePacket::atomicAckEth),
            new Header(Extension.IETH, 4, RocePacket::ieth),
            new Header(Extension.IMM_DT, 4, RocePacket::immDt));

    @Property
    void everyBuiltPacketParsesToItsFields(
            @ForAll Opcode opcode,
            @ForAll boolean ipv6,
            @ForAll @IntRange(max = 0xffff) int port,
            @ForAll @IntRange(max = 0xff) int trafficClass,
            @ForAll @IntRange(max = Psn.MASK) int psn,
            @ForAll @IntRange(max = Psn.MASK) int qpn,
            @ForAll boolean ackRequest,
            @ForAll @Size(max = 70) byte[] payload) {
        begin(ipv6, port, trafficClass);
        built.beginTransport(opcode).psn(psn).destinationQpn(qpn).ackRequest(ackRequest);
        Packets.payload(built, payload);

        assertThat(Packets.load(parsed, Packets.bytes(built))).isEqualTo(PacketDefect.OK);

        assertThat(parsed.opcode()).isEqualTo(opcode);
        assertThat(parsed.ipv6()).isEqualTo(ipv6);
        assertThat(parsed.udpHeader().sourcePort()).isEqualTo(port);
        assertThat(parsed.bth().psn()).isEqualTo(psn);
        assertThat(parsed.bth().destinationQpn()).isEqualTo(qpn);
        assertThat(parsed.bth().ackRequest()).isEqualTo(ackRequest);
        assertThat(parsed.bth().partitionKey()).isEqualTo(0xffff);
        assertThat(parsed.bth().padCount()).isEqualTo((4 - payload.length % 4) % 4);
        assertThat(Packets.payload(parsed)).isEqualTo(payload);
        assertThat(parsed.length() % 4).isZero();
        assertThat(parsed.icrcValid()).isTrue();
        assertThat(parsed.sourceHi()).isEqualTo(built.sourceHi());
        assertThat(parsed.sourceLo()).isEqualTo(built.sourceLo());
        assertThat(parsed.destinationHi()).isEqualTo(built.destinationHi());
        assertThat(parsed.destinationLo()).isEqualTo(built.destinationLo());
        assertThat(parsed).hasToString(built.toString());
    }

    @Property
    void extensionHeadersLieBetweenBthAndPayloadAndDoNotOverlap(@ForAll Opcode opcode, @ForAll boolean ipv6) {
        begin(ipv6, 0, 0);
        built.beginTransport(opcode);

        int covered = Bth.LENGTH;
        for (Header header : HEADERS) {
            if (opcode.has(header.extension)) {
                long offset = header.view.apply(built).offset();
                assertThat(offset)
                        .isBetween((long) built.bthOffset() + Bth.LENGTH, (long) built.payloadOffset() - header.length);
                covered += header.length;
            } else {
                assertThatThrownBy(() -> header.view.apply(built))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(opcode + " packets have no " + header.extension);
            }
        }
        assertThat(built.payloadOffset() - built.bthOffset()).isEqualTo(covered);
    }

    @Property
    void padBytesAreZerosInAReusedBuffer(@ForAll @IntRange(max = 64) int length, @ForAll boolean ipv6) {
        built.segment().fill((byte) 0xff);
        begin(ipv6, 1, 0);
        built.beginTransport(Opcode.RC_SEND_ONLY);
        built.payloadLength(length).seal();

        byte[] datagram = Packets.bytes(built);
        int end = built.payloadOffset() + length;
        for (int i = end; i < datagram.length - Icrc.LENGTH; i++) {
            assertThat(datagram[i]).isZero();
        }
        assertThat(datagram.length - Icrc.LENGTH - end).isBetween(0, 3);
    }

    @Property
    void aCopyIsTheSamePacket(@ForAll Opcode opcode, @ForAll boolean ipv6, @ForAll @Size(max = 50) byte[] payload) {
        begin(ipv6, 7, 0);
        built.beginTransport(opcode).psn(5);
        Packets.payload(built, payload);

        parsed.copyFrom(built);

        assertThat(Packets.bytes(parsed)).isEqualTo(Packets.bytes(built));
        assertThat(parsed).hasToString(built.toString());
        assertThat(parsed.icrcValid()).isTrue();
        assertThat(parsed.bth().psn()).isEqualTo(5);
    }

    @Example
    void theLargestPacketFitsIntoTheDefaultCapacity() {
        byte[] payload = new byte[4096];
        new Random(1).nextBytes(payload);
        begin(true, 1, 0);
        built.beginTransport(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE);
        Packets.payload(built, payload);

        assertThat(Packets.load(parsed, Packets.bytes(built))).isEqualTo(PacketDefect.OK);
        assertThat(Packets.payload(parsed)).isEqualTo(payload);
    }

    @Example
    void aPayloadThatDoesNotFitIsRefusedAndThePacketStaysAsItWas() {
        RocePacket small = new RocePacket(Arena.ofAuto(), 128);
        small.begin(0, GidAddress.mapIpv4(1), 0, GidAddress.mapIpv4(2), 1, 0, HOP_LIMIT)
                .beginTransport(Opcode.RC_SEND_ONLY);
        small.payloadLength(128 - 40 - Icrc.LENGTH);

        assertThatThrownBy(() -> small.payloadLength(128 - 40 - Icrc.LENGTH + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload of 85 bytes")
                .hasMessageContaining("128 bytes");
        assertThatThrownBy(() -> small.payloadLength(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> small.payloadLength(Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThat(small.payloadLength()).isEqualTo(84);
        assertThat(small.length()).isEqualTo(128);
    }

    @Example
    void aPacketWithoutRoomForHeadersIsRefused() {
        assertThatThrownBy(() -> new RocePacket(Arena.ofAuto(), 91))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("92..65535");
        assertThatThrownBy(() -> new RocePacket(Arena.ofAuto(), 65536)).isInstanceOf(IllegalArgumentException.class);
    }

    @Example
    void addressesOfTwoIpVersionsAreRefused() {
        assertThatThrownBy(() -> built.begin(LINK_LOCAL, 1, 0, GidAddress.mapIpv4(0x0a4d_0002), 1, 0, HOP_LIMIT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10.77.0.2")
                .hasMessageContaining("fe80:");
    }

    @Example
    void anEmptyBufferHasNoOpcode() {
        assertThatThrownBy(built::opcode).isInstanceOf(IllegalStateException.class);
        assertThat(built).hasToString("RocePacket[empty]");
        assertThat(built.length()).isZero();
        assertThat(built.buffer().remaining()).isZero();
    }

    @Example
    void aCopyThatDoesNotFitIsRefused() {
        begin(false, 1, 0);
        built.beginTransport(Opcode.RC_SEND_ONLY);
        built.payloadLength(200).seal();
        RocePacket small = new RocePacket(Arena.ofAuto(), 128);

        assertThatThrownBy(() -> small.copyFrom(built))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("244 bytes");
    }

    private void begin(boolean ipv6, int port, int trafficClass) {
        if (ipv6) {
            built.begin(LINK_LOCAL, 0x5054_00ff_fe4d_0002L, LINK_LOCAL, 3, port, trafficClass, HOP_LIMIT);
        } else {
            long source = GidAddress.mapIpv4(0x0a4d_0002);
            built.begin(0, source, 0, GidAddress.mapIpv4(0x0a4d_0003), port, trafficClass, HOP_LIMIT);
        }
    }
}
