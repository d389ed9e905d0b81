// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ICRC of packets that kernel rdma_rxe and ConnectX adapters have sent. */
class IcrcTest {
    private static final String SEND_ONLY =
            "45000034000040004011f164c0a86401c0a86402c12312b7002000000430ffff000000118062" + "675368656c6c6f000000";
    private static final String FLUSH =
            "45000040000040004011f158c0a86401c0a86402c12312b7002c00001c00ffff0000001180000100"
                    + "0000000100007f00000010000000123400001000";

    record Vector(String name, String packet, String icrc) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Vector> vectors() {
        return List.of(
                new Vector("SEND_ONLY over IPv4", SEND_ONLY, "d5d2b1f7"),
                new Vector(
                        "ACK over IPv4",
                        "45000030000040004011f168c0a86402c0a86401c12312b7001c00001100ffff00000012006267531f000001",
                        "62fc9d00"),
                new Vector(
                        "SEND_ONLY over IPv6",
                        "6000000000201140fe80000000000000505461fffe571211fe80000000000000505461fffe561211c12312b7002000"
                                + "000430ffff000000118062675368656c6c6f000000",
                        "c6d954bb"),
                new Vector(
                        "CNP of an adapter",
                        "45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff4000011800000000"
                                + "00".repeat(16),
                        "82fd002a"),
                new Vector(
                        "UC SEND_ONLY of an adapter, M bit set, UDP checksum",
                        "45010040047840004011b4d5c0a80007c0a80007c00012b7002caca22460ffff000000d300cf17104630818be28935d9"
                                + "0e9a95505401be885e500000",
                        "78f353f3"),
                new Vector(
                        "ACK of rdma_rxe",
                        "45000030f623400040112ffb0a4d00020a4d0003c12112b7001c00001100ffff000000110031972e1f000001",
                        "a8710ef2"),
                new Vector(
                        "SEND_ONLY of rdma_rxe",
                        "4500006cd12a4000401154b80a4d00030a4d0002c12112b7005800000400ffff000000118031972e"
                                + "7b".repeat(64),
                        "a8fae0e6"),
                new Vector(
                        "ACK of rdma_rxe over IPv6",
                        "60000000001c1140fe80000000000000505400fffe4d0002fe80000000000000505400fffe4d0003c19012b7001c0000"
                                + "1100ffff0000001400b28fcc1f000001",
                        "4ac44efc"),
                new Vector(
                        "COMPARE_SWAP of rdma_rxe",
                        "45000048f7e5400040112e210a4d00030a4d0002c48412b7003400001300ffff0000002280c93ff20000557dbda89000"
                                + "0000108c00000000000000000000000000000000",
                        "d43192ca"),
                new Vector(
                        "ATOMIC_ACKNOWLEDGE of rdma_rxe",
                        "450000380f384000401116df0a4d00020a4d0003c48412b7002400001200ffff0000002200c93ff21f000001fa23d7f6"
                                + "4335e91e",
                        "c4567c61"),
                new Vector("FLUSH, as specified", FLUSH, "354a453d"));
    }

    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @MethodSource("vectors")
    void isThatOfPacketsSeenOnTheWire(Vector vector) {
        byte[] datagram = HexFormat.of().parseHex(vector.packet + vector.icrc);
        RocePacket packet = new RocePacket(Arena.ofAuto());

        assertThat(Packets.load(packet, datagram)).isEqualTo(PacketDefect.OK);

        assertThat(wireOrder(icrc.compute(packet))).isEqualTo(vector.icrc);
        assertThat(wireOrder(packet.icrc())).isEqualTo(vector.icrc);
        assertThat(packet.icrcValid()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void comesOutTheSameFromAnyBufferAndLeavesItsPositionAlone(Vector vector) {
        byte[] datagram = HexFormat.of().parseHex(vector.packet + "00000000");
        for (ByteBuffer buffer : List.of(ByteBuffer.allocate(200), ByteBuffer.allocateDirect(200))) {
            buffer.put(14, datagram).position(3).limit(190);

            assertThat(wireOrder(icrc.compute(buffer, 14, datagram.length))).isEqualTo(vector.icrc);
            assertThat(buffer.position()).isEqualTo(3);
            assertThat(buffer.limit()).isEqualTo(190);
        }
    }

    @Example
    void aFlushMayHaveTheIcrcOfRdmaRxe() {
        RocePacket packet = new RocePacket(Arena.ofAuto());
        Packets.load(packet, HexFormat.of().parseHex(FLUSH + "8853c102"));

        assertThat(wireOrder(icrc.computeRxeFlush(packet))).isEqualTo("8853c102");
        assertThat(packet.icrcValid()).isTrue();
    }

    @Example
    void noOtherPacketMayHaveTheIcrcOfRdmaRxesFlush() {
        RocePacket packet = new RocePacket(Arena.ofAuto());
        Packets.load(packet, HexFormat.of().parseHex(SEND_ONLY + "00000000"));

        packet.icrc(icrc.computeRxeFlush(packet));

        assertThat(packet.icrcValid()).isFalse();
    }

    @Property
    void coversEveryBitButThoseThatChangeOnTheWay(@ForAll boolean ipv6, @ForAll @IntRange(max = 71 * 8 - 1) int bit) {
        String packet = vectors().get(ipv6 ? 2 : 0).packet;
        byte[] datagram = HexFormat.of().parseHex(packet + "00000000");
        int flipped = bit % ((datagram.length - Icrc.LENGTH) * 8);
        int before = icrc.compute(ByteBuffer.wrap(datagram), 0, datagram.length);
        // The version decides which header it is, which is not a question of the ICRC.
        if (flipped < 4) {
            return;
        }

        datagram[flipped / 8] ^= (byte) (0x80 >>> flipped % 8);

        int after = icrc.compute(ByteBuffer.wrap(datagram), 0, datagram.length);
        assertThat(after == before).isEqualTo(changesOnTheWay(ipv6, flipped / 8, flipped % 8));
    }

    @Example
    void aDatagramWithoutRoomForABthIsAnError() {
        byte[] datagram = HexFormat.of().parseHex(SEND_ONLY);

        assertThatThrownBy(() -> icrc.compute(ByteBuffer.wrap(datagram), 0, 43))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("43 bytes");
    }

    private static boolean changesOnTheWay(boolean ipv6, int octet, int bit) {
        int udp = ipv6 ? 40 : 20;
        boolean ip = ipv6
                ? (octet < 4 && octet * 8 + bit >= 4) || octet == 7
                : octet == 1 || octet == 8 || octet == 10 || octet == 11;
        return ip || octet == udp + 6 || octet == udp + 7 || octet == udp + 8 + 4;
    }

    private static String wireOrder(int icrc) {
        return HexFormat.of().toHexDigits(Integer.reverseBytes(icrc));
    }
}
