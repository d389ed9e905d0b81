// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HeaderFieldsTest {
    private static final int MAX_PAYLOAD = 4096;

    private final PacketPool pool = new PacketPool(Arena.ofAuto());

    @Property
    void encodedFieldsAreDecodedToTheSameFields(@ForAll Opcode opcode, @ForAll boolean ipv6, @ForAll long seed) {
        SimPacket sent = pool.take();
        fill(sent, opcode, ipv6, new Random(seed));
        List<Object> fields = fields(sent);
        int length = sent.length();
        int payloadOffset = sent.payloadOffset();
        byte[] payload = payload(sent);

        sent.encode();
        sent.seal();

        assertThat(sent.length()).isEqualTo(length);
        SimPacket received = pool.take();
        MemorySegment.copy(sent.segment(), 0, received.segment(), 0, length);
        assertThat(received.parse(length)).isEqualTo(PacketDefect.OK);
        assertThat(received.icrcValid()).isTrue();
        received.decode();
        assertThat(fields(received)).isEqualTo(fields);
        assertThat(received.payloadOffset()).isEqualTo(payloadOffset);
        assertThat(payload(received)).isEqualTo(payload);
        sent.release();
        received.release();
    }

    @Property
    void aCopyOfFieldsHasTheSameFields(@ForAll Opcode opcode, @ForAll boolean ipv6, @ForAll long seed) {
        SimPacket packet = pool.take();
        fill(packet, opcode, ipv6, new Random(seed));
        List<Object> fields = fields(packet);
        SimPacket copy = packet.copy();
        assertThat(fields(copy)).isEqualTo(fields);
        assertThat(fields(packet)).isEqualTo(fields);
        assertThat(payload(copy)).isEqualTo(payload(packet));
        packet.release();
        copy.release();
    }

    @Test
    void bytesThatWereChangedAfterwardsCount() {
        SimPacket packet = pool.take();
        fill(packet, Opcode.RC_SEND_ONLY, false, new Random(1));
        packet.encode();
        packet.bth().psn(77).destinationQpn(78);
        packet.decode();
        assertThat(packet.psn()).isEqualTo(77);
        assertThat(packet.destinationQpn()).isEqualTo(78);
    }

    @Test
    void fieldsHaveTheBytesThatTheBuilderWrites() {
        SimPacket packet = pool.take();
        packet.begin(
                Route.of(0, gid(0x0a000001), 0, gid(0x0a000002), 0xc123, 5, 64), Opcode.RC_SEND_LAST, 17, 99, true);
        packet.ackRequest(true);
        packet.carries(5);
        packet.segment().asSlice(packet.payloadOffset(), 8).fill((byte) 9);
        packet.encode();
        packet.seal();

        RocePacket built = new RocePacket(Arena.ofAuto());
        built.begin(0, gid(0x0a000001), 0, gid(0x0a000002), 0xc123, 5, 64);
        built.beginTransport(Opcode.RC_SEND_LAST)
                .migrationRequest(true)
                .destinationQpn(17)
                .psn(99)
                .ackRequest(true);
        built.segment().asSlice(built.payloadOffset(), 8).fill((byte) 9);
        built.payloadLength(5).seal();
        assertThat(bytes(packet)).isEqualTo(bytes(built));
    }

    private static long gid(int address) {
        return 0xffff_0000_0000L | address;
    }

    private static void fill(SimPacket packet, Opcode opcode, boolean ipv6, Random random) {
        long hi = ipv6 ? 0x2001_0db8_0000_0000L : 0;
        long from = ipv6 ? random.nextLong() : gid(random.nextInt() & 0x7fff_ffff);
        long to = ipv6 ? random.nextLong() : gid(random.nextInt() & 0x7fff_ffff);
        packet.begin(
                packet.ownRoute(
                        hi, from, hi, to, random.nextInt(1 << 16), random.nextInt(256), 1 + random.nextInt(255)),
                opcode,
                random.nextInt(1 << 24),
                random.nextInt(1 << 24),
                random.nextBoolean());
        packet.ackRequest(random.nextBoolean());
        packet.solicitedEvent(random.nextBoolean());
        if (opcode.has(Extension.RETH)) {
            packet.reth(random.nextLong(), random.nextInt(), random.nextInt());
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            packet.atomic(random.nextLong(), random.nextInt(), random.nextLong(), random.nextLong());
        }
        packet.flush(random.nextInt(4), random.nextInt(4));
        packet.acknowledge(random.nextInt(256), random.nextInt(1 << 24));
        packet.datagram(random.nextInt(), random.nextInt(1 << 24));
        packet.immediate(random.nextInt());
        packet.originalValue(random.nextLong());
        int payload = opcode.hasPayload() ? random.nextInt(MAX_PAYLOAD + 1) : 0;
        packet.carries(payload);
        byte[] bytes = new byte[payload];
        random.nextBytes(bytes);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, packet.segment(), packet.payloadOffset(), payload);
    }

    /** Returns the valid fields. */
    private static List<Object> fields(SimPacket packet) {
        Opcode opcode = packet.opcode();
        Route route = packet.route();
        return List.of(
                opcode,
                List.of(route.sourceHi(), route.sourceLo(), route.destinationHi(), route.destinationLo()),
                List.of(packet.destinationQpn(), packet.psn(), packet.partitionKey(), packet.payloadLength()),
                List.of(packet.ackRequest(), packet.solicitedEvent()),
                opcode.has(Extension.RETH)
                        ? List.of(packet.remoteAddress(), packet.remoteKey(), packet.dmaLength())
                        : List.of(),
                opcode.has(Extension.ATOMIC_ETH)
                        ? List.of(packet.remoteAddress(), packet.remoteKey(), packet.swapOrAdd(), packet.compare())
                        : List.of(),
                opcode.has(Extension.FETH) ? List.of(packet.flushSelectivity(), packet.flushPlacement()) : List.of(),
                opcode.has(Extension.AETH) ? List.of(packet.syndrome(), packet.msn()) : List.of(),
                opcode.has(Extension.DETH) ? List.of(packet.queueKey(), packet.sourceQpn()) : List.of(),
                opcode.has(Extension.ATOMIC_ACK_ETH) ? List.of(packet.originalValue()) : List.of(),
                opcode.has(Extension.IMM_DT) || opcode.has(Extension.IETH) ? List.of(packet.immediate()) : List.of());
    }

    private static byte[] payload(SimPacket packet) {
        return packet.segment()
                .asSlice(packet.payloadOffset(), packet.payloadLength())
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] bytes(RocePacket packet) {
        return packet.segment().asSlice(0, packet.length()).toArray(ValueLayout.JAVA_BYTE);
    }
}
