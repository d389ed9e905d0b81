// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** For any input, parsing neither throws nor reads bytes that have not been received. */
class ParseTest {
    private static final List<byte[]> CAPTURED = Captures.allDatagrams();
    private static final byte[] SEND_ONLY = HexFormat.of()
            .parseHex("45000034000040004011f164c0a86401c0a86402c12312b7002000000430ffff000000118062675368656c6c"
                    + "6f000000d5d2b1f7");
    private static final byte[] ACK_IPV6 = HexFormat.of()
            .parseHex("60000000001c1140fe80000000000000505400fffe4d0002fe80000000000000505400fffe4d0003c19012b7"
                    + "001c00001100ffff0000001400b28fcc1f0000014ac44efc");

    private final RocePacket packet = new RocePacket(Arena.ofAuto());

    @Provide
    Arbitrary<byte[]> captured() {
        return Arbitraries.of(CAPTURED);
    }

    /** Bytes that get past the first checks more often than chance would let them. */
    @Provide
    Arbitrary<byte[]> likely() {
        Arbitrary<byte[]> tails =
                Arbitraries.bytes().array(byte[].class).ofMinSize(0).ofMaxSize(120);
        return Combinators.combine(
                        Arbitraries.of(SEND_ONLY, ACK_IPV6),
                        Arbitraries.integers().between(0, 60),
                        tails)
                .as((start, kept, tail) -> {
                    byte[] bytes = Arrays.copyOf(start, Math.max(kept, tail.length));
                    int from = Math.min(kept, tail.length);
                    System.arraycopy(tail, from, bytes, from, tail.length - from);
                    return bytes;
                });
    }

    @Property
    void anyBytesAreEitherAPacketOrHaveADefect(@ForAll @Size(max = 300) byte[] bytes) {
        checkWhatParseSays(bytes, bytes.length);
    }

    @Property(tries = 3000)
    void bytesThatBeginLikeAPacketAreEitherAPacketOrHaveADefect(@ForAll("likely") byte[] bytes) {
        checkWhatParseSays(bytes, bytes.length);
    }

    @Property(tries = 3000)
    void aCapturedPacketWithAnyByteReplacedIsEitherAPacketOrHasADefect(
            @ForAll("captured") byte[] datagram, @ForAll @IntRange(max = 4200) int at, @ForAll byte value) {
        byte[] damaged = datagram.clone();
        // Damage the headers most of the time; the payload cannot confuse the parser.
        damaged[at < 2000 ? at % Math.min(80, damaged.length) : at % damaged.length] = value;

        checkWhatParseSays(damaged, damaged.length);
    }

    @Property(tries = 3000)
    void aCapturedPacketWithABitFlippedIsNeverTakenForAnother(
            @ForAll("captured") byte[] datagram, @ForAll @IntRange(max = 4200 * 8) int at) {
        int bit = at % (datagram.length * 8);
        byte[] damaged = datagram.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);

        PacketDefect defect = Packets.load(packet, damaged);

        boolean ipv6 = datagram[0] >>> 4 == 6;
        int udp = ipv6 ? 40 : 20;
        boolean mayChange = bit / 8 == udp + 6 || bit / 8 == udp + 7 || bit / 8 == udp + 12;
        boolean ipv6MayChange = ipv6 && (bit / 8 < 4 || bit / 8 == 7);
        if (!mayChange && !ipv6MayChange) {
            assertThat(defect != PacketDefect.OK || !packet.icrcValid()).isTrue();
        }
    }

    @Property
    void aCapturedPacketThatIsCutOffIsTruncated(
            @ForAll("captured") byte[] datagram, @ForAll @IntRange(max = 4200) int at) {
        assertThat(Packets.load(packet, datagram, at % datagram.length)).isEqualTo(PacketDefect.TRUNCATED);
        assertThat(packet.length()).isZero();
    }

    @Property
    void bytesAfterTheDatagramAreIgnored(@ForAll("captured") byte[] datagram, @ForAll @Size(max = 40) byte[] tail) {
        byte[] padded = Arrays.copyOf(datagram, datagram.length + tail.length);
        System.arraycopy(tail, 0, padded, datagram.length, tail.length);

        assertThat(Packets.load(packet, padded)).isEqualTo(PacketDefect.OK);
        assertThat(packet.length()).isEqualTo(datagram.length);
        assertThat(packet.icrcValid()).isTrue();
    }

    @Example
    void lengthsThatNoDatagramHasAreTruncated() {
        assertThat(packet.parse(-1)).isEqualTo(PacketDefect.TRUNCATED);
        assertThat(packet.parse(0)).isEqualTo(PacketDefect.TRUNCATED);
        assertThat(packet.parse(packet.capacity() + 1)).isEqualTo(PacketDefect.TRUNCATED);
        assertThat(Packets.load(packet, ACK_IPV6, 39)).isEqualTo(PacketDefect.TRUNCATED);
    }

    @Example
    void eachDefectHasItsName() {
        assertThat(defectOf(0, 0x55)).isEqualTo(PacketDefect.NOT_IP);
        assertThat(defectOf(0, 0x44)).isEqualTo(PacketDefect.NOT_IP);
        assertThat(defectOf(0, 0x46)).isEqualTo(PacketDefect.IP_OPTIONS);
        assertThat(defectOf(10, 0)).isEqualTo(PacketDefect.BAD_IP_CHECKSUM);
        assertThat(defectWithChecksum(6, 0x20)).isEqualTo(PacketDefect.FRAGMENT);
        assertThat(defectWithChecksum(7, 0x01)).isEqualTo(PacketDefect.FRAGMENT);
        assertThat(defectWithChecksum(9, 6)).isEqualTo(PacketDefect.NOT_UDP);
        assertThat(defectWithChecksum(3, 0x35)).isEqualTo(PacketDefect.TRUNCATED);
        assertThat(defectWithChecksum(3, 0x33)).isEqualTo(PacketDefect.BAD_LENGTH);
        assertThat(defectWithChecksum(3, 0x1b)).isEqualTo(PacketDefect.BAD_LENGTH);
        assertThat(defectOf(23, 0xb8)).isEqualTo(PacketDefect.NOT_ROCE_PORT);
        assertThat(defectOf(25, 0x21)).isEqualTo(PacketDefect.BAD_LENGTH);
        assertThat(defectOf(28, 0x15)).isEqualTo(PacketDefect.UNKNOWN_OPCODE);
        assertThat(defectOf(28, 0x13)).isEqualTo(PacketDefect.BAD_LENGTH);
        assertThat(defectOf(29, 0x31)).isEqualTo(PacketDefect.BAD_TVER);
        assertThat(defectOf(28, 0x04)).isEqualTo(PacketDefect.OK);
    }

    @Example
    void anIpv6ExtensionHeaderIsNotUdp() {
        byte[] damaged = ACK_IPV6.clone();
        damaged[6] = 44;

        assertThat(Packets.load(packet, damaged)).isEqualTo(PacketDefect.NOT_UDP);
    }

    @Example
    void padBytesThatAreNotThereAreABadLength() {
        RocePacket ack = new RocePacket(Arena.ofAuto());
        Packets.load(ack, ACK_IPV6);
        ack.bth().padCount(1);

        assertThat(ack.parse(ACK_IPV6.length)).isEqualTo(PacketDefect.BAD_LENGTH);
    }

    private PacketDefect defectOf(int at, int value) {
        byte[] damaged = SEND_ONLY.clone();
        damaged[at] = (byte) value;
        return Packets.load(packet, damaged);
    }

    private PacketDefect defectWithChecksum(int at, int value) {
        byte[] damaged = SEND_ONLY.clone();
        damaged[at] = (byte) value;
        Ipv4Header header = new Ipv4Header().wrap(MemorySegment.ofArray(damaged), 0);
        header.headerChecksum(header.computeChecksum());
        return Packets.load(packet, damaged);
    }

    private void checkWhatParseSays(byte[] bytes, int received) {
        packet.segment().fill((byte) 0);
        PacketDefect defect = Packets.load(packet, bytes, received);
        String described = packet.toString();

        // Parses again with other bytes after the end: a different result would show that they were read.
        packet.segment().asSlice(received).fill((byte) 0xff);
        assertThat(packet.parse(received)).isEqualTo(defect);
        assertThat(packet).hasToString(described);

        if (defect != PacketDefect.OK) {
            assertThat(packet.length()).isZero();
            assertThat(packet.payloadLength()).isZero();
            return;
        }
        int pad = packet.bth().padCount();
        assertThat(packet.length()).isLessThanOrEqualTo(received);
        assertThat(packet.payloadLength()).isNotNegative();
        assertThat(packet.payloadOffset() + packet.payloadLength() + pad + Icrc.LENGTH)
                .isEqualTo(packet.length());
        assertThat(packet.opcode().code()).isEqualTo(bytes[packet.bthOffset()] & 0xff);
        boolean valid = packet.icrcValid();
        packet.segment().set(ValueLayout.JAVA_BYTE, packet.length() - 1L, (byte) ~bytes[packet.length() - 1]);
        assertThat(valid && packet.icrcValid()).isFalse();
    }
}
