// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the header fields that a socket does not return are recovered. */
class IdentificationRecoveryTest {
    private static final int FLIPS = 200_000;

    private final RocePacket packet = new RocePacket(Arena.ofAuto());
    private final IdentificationRecovery recovery = new IdentificationRecovery();

    static List<Path> captures() {
        return Captures.files();
    }

    /**
     * Clears the fields that a socket does not return: all header fields before the BTH except addresses, ports and
     * length.
     */
    private static void hide(RocePacket packet) {
        long sourceHi = packet.sourceHi();
        long sourceLo = packet.sourceLo();
        long destinationHi = packet.destinationHi();
        long destinationLo = packet.destinationLo();
        int port = packet.udpHeader().sourcePort();
        int length = packet.length() - packet.bthOffset();
        packet.segment().asSlice(0, packet.bthOffset()).fill((byte) 0xa5);
        packet.begin(sourceHi, sourceLo, destinationHi, destinationLo, port, 0, 64)
                .received(length);
        assertThat(packet.parse(packet.length())).isEqualTo(PacketDefect.OK);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void theIdentificationOfEveryCapturedPacketIsFound(Path capture) {
        for (byte[] datagram : Captures.datagrams(capture)) {
            assertThat(Packets.load(packet, datagram)).isEqualTo(PacketDefect.OK);
            int identification = packet.ipv6() ? 0 : packet.ipv4Header().identification();
            int flags = packet.ipv6() ? 0 : packet.ipv4Header().flagsAndFragment();

            hide(packet);

            if (identification != 0) {
                assertThat(packet.icrcValid()).isFalse();
                assertThat(recovery.recover(packet)).isTrue();
                assertThat(packet.ipv4Header().identification()).isEqualTo(identification);
                assertThat(packet.ipv4Header().flagsAndFragment()).isEqualTo(flags);
            }
            assertThat(packet.icrcValid()).isTrue();
            assertThat(packet.parse(packet.length())).isEqualTo(PacketDefect.OK);
        }
    }

    @Property(tries = 2000)
    void anyIdentificationIsFoundAtAnyLengthWithAndWithoutTheFlag(
            @ForAll @IntRange(max = 0xffff) int identification,
            @ForAll boolean dontFragment,
            @ForAll @IntRange(max = 4096) int payload,
            @ForAll long seed) {
        packet.begin(0, GidAddress.mapIpv4(0x0a000001), 0, GidAddress.mapIpv4(0x0a000002), 0xc123, 0, 64);
        packet.beginTransport(payload == 0 ? Opcode.RC_FLUSH : Opcode.RC_SEND_ONLY)
                .destinationQpn(17)
                .psn((int) seed & 0xffffff);
        byte[] bytes = new byte[payload];
        new Random(seed).nextBytes(bytes);
        if (payload == 0) {
            packet.segment().asSlice(packet.bthOffset() + Bth.LENGTH, 20).fill((byte) seed);
        }
        MemorySegment.copy(bytes, 0, packet.segment(), ValueLayout.JAVA_BYTE, packet.payloadOffset(), payload);
        int flags = dontFragment ? Ipv4Header.DONT_FRAGMENT : 0;
        packet.payloadLength(payload);
        packet.ipv4Header().identification(identification).flagsAndFragment(flags);
        packet.seal();
        if (payload == 0) {
            packet.icrc(new Icrc().computeRxeFlush(packet));
        }

        hide(packet);

        assertThat(packet.icrcValid()).isEqualTo(identification == 0 && dontFragment);
        assertThat(recovery.recover(packet)).isTrue();
        assertThat(packet.ipv4Header().identification()).isEqualTo(identification);
        assertThat(packet.ipv4Header().flagsAndFragment()).isEqualTo(flags);
        assertThat(packet.icrcValid()).isTrue();
    }

    @Test
    void oneAlteredPacketOf32768IsAcceptedAndTheOthersAreUnchanged() {
        byte[] datagram = Captures.allDatagrams().getFirst();
        Random random = new Random(1);
        int taken = 0;
        for (int i = 0; i < FLIPS; i++) {
            Packets.load(packet, datagram);
            packet.icrc(random.nextInt());
            if (packet.ipv6()) {
                throw new AssertionError("the first capture should be of IPv4");
            }
            int identification = packet.ipv4Header().identification();
            if (recovery.recover(packet)) {
                assertThat(packet.icrcValid()).isTrue();
                taken++;
            } else {
                assertThat(packet.ipv4Header().identification()).isEqualTo(identification);
            }
        }
        assertThat(taken).isBetween(1, 20);
    }

    @Test
    void aPayloadThatIsLongerThanThePacketIsRefused() {
        packet.begin(0, GidAddress.mapIpv4(1), 0, GidAddress.mapIpv4(2), 1, 0, 64);
        int room = packet.capacity() - packet.bthOffset();
        assertThat(packet.received(room).length()).isEqualTo(packet.capacity());
        assertThatIllegalArgumentException().isThrownBy(() -> packet.received(room + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> packet.received(-1));
    }
}
