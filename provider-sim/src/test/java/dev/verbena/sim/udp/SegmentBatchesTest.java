// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets in the middle of a message that are sent and received together. */
@Tag("udp")
class SegmentBatchesTest implements PacketReceiver {
    private static final Loopback PLACE = Loopback.ONE_ADDRESS;
    private static final int PAYLOAD = 256;
    private static final int LENGTH = 10;
    private static final int ROUNDS = 20;
    private static final int BATCH_PACKETS = 64;
    private static final int FIRST_PSN = 0xff_fff0;
    private static final int LONGEST_DATAGRAM = 65_507;
    private static final int MOST_CUT = 64;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final List<SimPacket> kept = new ArrayList<>();
    private int arrived;

    @AfterEach
    void close() {
        runtime.close();
    }

    @Override
    public boolean takesFields() {
        return true;
    }

    /** Keeps the packets, as a busy queue pair does. */
    @Override
    public synchronized void onPacket(SimPacket packet) {
        if (packet.trusted()) {
            packet.decode();
        }
        kept.add(packet);
        arrived += packet.count();
    }

    private synchronized int arrived() {
        return arrived;
    }

    private static SimPacket middle(Supplier<SimPacket> pool, int psn) {
        SimPacket packet = pool.get();
        Gid from = PLACE.gid(0);
        Gid to = PLACE.gid(1);
        packet.begin(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64);
        packet.beginTransport(Opcode.RC_RDMA_WRITE_MIDDLE).destinationQpn(17).psn(psn);
        packet.payloadLength(PAYLOAD);
        packet.segment().asSlice(packet.payloadOffset(), PAYLOAD).fill((byte) psn);
        return packet;
    }

    private static boolean isFilled(SimPacket packet, int psn) {
        MemorySegment payload = packet.segment().asSlice(packet.payloadOffset(), PAYLOAD);
        for (byte each : payload.toArray(ValueLayout.JAVA_BYTE)) {
            if (each != (byte) psn) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aKeptSegmentBatchKeepsItsPayload() throws Exception {
        assumeFalse(Loopback.isPortable(), "needs native calls");
        try (UdpFabric fabric = new UdpFabric(runtime)) {
            fabric.endpoint(PLACE.gid(0), PLACE.anyPort(0));
            fabric.endpoint(PLACE.gid(1), PLACE.anyPort(1));
            FabricPort near = fabric.attach("sim0", List.of(PLACE.gid(0)), SimPacket::release);
            fabric.attach("sim1", List.of(PLACE.gid(1)), this);
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < LENGTH; i++) {
                    SimPacket packet = middle(near::newPacket, round * LENGTH + i);
                    if (i == LENGTH / 2 && round % 2 == 0) {
                        // One packet is damaged in flight; the receiver must not trust it.
                        packet.seal();
                        packet.segment().set(ValueLayout.JAVA_BYTE, packet.payloadOffset(), (byte) -1);
                        packet.trusted(false);
                    }
                    near.add(packet);
                }
                near.flush();
                int all = (round + 1) * LENGTH;
                long deadline = System.nanoTime() + PATIENCE_NANOS;
                while (arrived() < all) {
                    assertThat(System.nanoTime())
                            .as("%s of %s arrived", arrived(), all)
                            .isLessThan(deadline);
                    Thread.onSpinWait();
                }
            }
        }
        int right = 0;
        int longest = 0;
        for (SimPacket packet : kept) {
            longest = Math.max(longest, packet.count());
            for (int i = 0; packet.trusted() && i < packet.count(); i++) {
                SimPacket single = packet.single(i);
                assertThat(isFilled(single, single.psn()))
                        .as("PSN %s", single.psn())
                        .isTrue();
                right++;
            }
        }
        assertThat(right).isEqualTo(ROUNDS * LENGTH - ROUNDS / 2);
        assertThat(longest).isGreaterThan(1);
    }

    @Test
    void packetsOfAMessageThatAreSentSinglyHaveTheirOwnIcrc() throws Exception {
        PacketPool pool = new PacketPool(Arena.ofAuto());
        SendBuffer stage = new SendBuffer(1 << 14);
        try (UdpSocket socket = UdpSocket.open(PLACE.anyPort(0))) {
            for (int psn = 0; psn < LENGTH; psn++) {
                assertThat(stage.add(middle(pool::take, psn), 0, socket, PLACE.anyPort(1), true))
                        .isTrue();
            }
            assertThat(stage.count()).isEqualTo(1);
            RocePacket packet = new RocePacket(Arena.ofAuto());
            Gid from = PLACE.gid(0);
            Gid to = PLACE.gid(1);
            for (int psn = 0; psn < LENGTH; psn++) {
                ByteBuffer bytes = stage.alone(0, psn);
                int length = bytes.remaining();
                packet.begin(from.high(), from.low(), to.high(), to.low(), socket.port(), 0, 64);
                MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, packet.segment(), packet.bthOffset(), length);
                packet.received(length);
                assertThat(packet.parse(packet.length())).isEqualTo(PacketDefect.OK);
                assertThat(packet.bth().psn()).isEqualTo(psn);
                assertThat(packet.icrcValid()).as("ICRC of PSN %s", psn).isTrue();
            }
        }
    }

    private static SimPacket batch(PacketPool pool, int payload) {
        byte[] random = new byte[BATCH_PACKETS * payload];
        new Random(payload).nextBytes(random);
        SimPacket batch = pool.take();
        Gid from = PLACE.gid(0);
        Gid to = PLACE.gid(1);
        batch.begin(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64);
        batch.beginTransport(Opcode.RC_RDMA_WRITE_MIDDLE)
                .destinationQpn(17)
                .psn(FIRST_PSN)
                .ackRequest(true);
        batch.payloadLength(payload);
        batch.refer(new Lent(MemorySegment.ofArray(random)));
        batch.count(BATCH_PACKETS);
        return batch;
    }

    private record Lent(MemorySegment segment) implements SimPacket.Payload {
        @Override
        public long offset() {
            return 0;
        }

        @Override
        public void close() {
            // This payload is used only here.
        }
    }

    /**
     * PSNs continue after the highest one, messages are filled before the next one begins, and only the last packet
     * requests an acknowledgement.
     */
    @ParameterizedTest
    @ValueSource(ints = {256, 1024, 4096})
    void aSegmentBatchHasTheSameBytesAsItsPackets(int payload) throws Exception {
        SimPacket batch = batch(new PacketPool(Arena.ofAuto()), payload);
        SendBuffer stage = new SendBuffer(1 << 19);
        RocePacket packet = new RocePacket(Arena.ofAuto());
        Gid from = PLACE.gid(0);
        Gid to = PLACE.gid(1);
        try (UdpSocket socket = UdpSocket.open(PLACE.anyPort(0))) {
            for (int i = 0; i < BATCH_PACKETS; ) {
                assertThat(stage.add(batch, i, socket, PLACE.anyPort(1), true)).isTrue();
                i = stage.addRest(batch, i + 1);
            }
            int next = 0;
            for (int message = 0; message < stage.count(); message++) {
                assertThat(stage.length(message)).isLessThanOrEqualTo(LONGEST_DATAGRAM);
                assertThat(message == stage.count() - 1
                                || stage.packets(message) == MOST_CUT
                                || stage.length(message) + stage.segment(message) > LONGEST_DATAGRAM)
                        .as("message %s is full", message)
                        .isTrue();
                for (int i = 0; i < stage.packets(message); i++, next++) {
                    ByteBuffer bytes = stage.alone(message, i);
                    int length = bytes.remaining();
                    packet.begin(from.high(), from.low(), to.high(), to.low(), socket.port(), 0, 64);
                    MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, packet.segment(), packet.bthOffset(), length);
                    packet.received(length);
                    assertThat(packet.parse(packet.length())).isEqualTo(PacketDefect.OK);
                    assertThat(packet.icrcValid()).as("ICRC of packet %s", next).isTrue();
                    assertThat(packet.bth().psn()).isEqualTo(Psn.add(FIRST_PSN, next));
                    assertThat(packet.bth().ackRequest()).isEqualTo(next == BATCH_PACKETS - 1);
                    long begin = packet.payloadOffset();
                    long lent = (long) next * payload;
                    assertThat(packet.segment()
                                    .asSlice(begin, payload)
                                    .mismatch(batch.payload().asSlice(lent, payload)))
                            .as("payload of packet %s", next)
                            .isEqualTo(-1);
                }
            }
            assertThat(next).isEqualTo(BATCH_PACKETS);
        }
    }

    @Test
    void aSegmentBatchBeginsAMessageOnlyWithRoomForAFullOne() throws Exception {
        PacketPool pool = new PacketPool(Arena.ofAuto());
        SimPacket batch = batch(pool, 1024);
        SendBuffer stage = new SendBuffer(LONGEST_DATAGRAM + (1 << 12));
        try (UdpSocket socket = UdpSocket.open(PLACE.anyPort(0))) {
            assertThat(stage.add(batch, 0, socket, PLACE.anyPort(1), true)).isTrue();
            int next = stage.addRest(batch, 1);
            assertThat(stage.add(batch, next, socket, PLACE.anyPort(1), true)).isFalse();
            assertThat(stage.add(middle(pool::take, 1), 0, socket, PLACE.anyPort(1), false))
                    .isTrue();
        }
    }
}
