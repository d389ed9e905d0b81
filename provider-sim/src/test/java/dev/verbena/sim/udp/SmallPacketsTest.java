// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small messages of one kind that are sent and received together. */
@Tag("udp")
class SmallPacketsTest implements PacketReceiver {
    private static final Loopback PLACE = Loopback.ONE_ADDRESS;
    private static final int QPN = 17;
    private static final int PAYLOAD = 62;
    private static final int LENGTH = 12;
    private static final int ROUNDS = 20;
    private static final long ADDRESS = 0x1234_5678_9abc_def0L;
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final List<SimPacket> kept = new ArrayList<>();

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
            packet.copyOut();
        }
        kept.add(packet);
    }

    private synchronized int arrived() {
        return kept.size();
    }

    private static Route route(int flow) {
        Gid from = PLACE.gid(0);
        Gid to = PLACE.gid(1);
        return Route.of(from.high(), from.low(), to.high(), to.low(), 0xc000 + flow, 0, 64);
    }

    private static SimPacket small(
            Supplier<SimPacket> pool, Route route, Opcode opcode, int qpn, int psn, int payload) {
        SimPacket packet = pool.get();
        packet.begin(route, opcode, qpn, psn, true);
        packet.ackRequest(psn % 3 == 0);
        packet.reth(ADDRESS + psn, ~psn, payload);
        packet.acknowledge(psn, ~psn);
        packet.carries(opcode.hasPayload() ? payload : 0);
        packet.segment().asSlice(packet.payloadOffset(), packet.payloadLength()).fill((byte) psn);
        return packet;
    }

    private static byte[] bytes(SendBuffer stage) {
        int length = stage.length(0);
        MemorySegment message =
                MemorySegment.ofBuffer(stage.alone(0, 0).limit(length).position(0));
        return message.toArray(BYTE);
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_RDMA_WRITE_ONLY", "RC_SEND_ONLY", "RC_ACKNOWLEDGE"})
    void aFollowingPacketHasTheSameBytesAsASinglePacket(Opcode opcode) throws Exception {
        PacketPool pool = new PacketPool(Arena.ofAuto());
        Route route = route(0);
        InetSocketAddress to = PLACE.anyPort(1);
        SendBuffer together = new SendBuffer(1 << 14);
        SendBuffer oneByOne = new SendBuffer(1 << 14);
        try (UdpSocket socket = UdpSocket.open(PLACE.anyPort(0))) {
            for (int psn = 0; psn < LENGTH; psn++) {
                SimPacket packet = small(pool::take, route, opcode, QPN, psn, PAYLOAD);
                assertThat(together.follow(packet, to, true))
                        .as("packet %s", psn)
                        .isEqualTo(psn > 0);
                packet.encode();
                if (psn == 0) {
                    assertThat(together.add(packet, 0, socket, to, true)).isTrue();
                }
                assertThat(oneByOne.add(packet, 0, socket, to, true)).isTrue();
            }
        }
        assertThat(together.count()).isEqualTo(1);
        assertThat(together.packets(0)).isEqualTo(LENGTH);
        assertThat(bytes(together)).isEqualTo(bytes(oneByOne));
    }

    @Test
    void onlyASimilarPacketFollows() throws Exception {
        PacketPool pool = new PacketPool(Arena.ofAuto());
        Route route = route(0);
        InetSocketAddress to = PLACE.anyPort(1);
        SendBuffer stage = new SendBuffer(1 << 14);
        Opcode write = Opcode.RC_RDMA_WRITE_ONLY;
        try (UdpSocket socket = UdpSocket.open(PLACE.anyPort(0))) {
            SimPacket first = small(pool::take, route, write, QPN, 0, PAYLOAD);
            first.encode();
            assertThat(stage.add(first, 0, socket, to, true)).isTrue();
            assertThat(stage.follow(small(pool::take, route(0), write, QPN, 1, PAYLOAD), to, true))
                    .as("another way")
                    .isFalse();
            assertThat(stage.follow(small(pool::take, route, write, QPN + 1, 1, PAYLOAD), to, true))
                    .as("another queue pair")
                    .isFalse();
            assertThat(stage.follow(small(pool::take, route, write, QPN, 1, PAYLOAD - 1), to, true))
                    .as("another padding")
                    .isFalse();
            assertThat(stage.follow(small(pool::take, route, write, QPN, 1, 2 * PAYLOAD), to, true))
                    .as("another length")
                    .isFalse();
            assertThat(stage.follow(small(pool::take, route, Opcode.RC_SEND_ONLY, QPN, 1, PAYLOAD), to, true))
                    .as("another operation")
                    .isFalse();
            SimPacket altered = small(pool::take, route, write, QPN, 1, PAYLOAD);
            altered.trusted(false);
            assertThat(stage.follow(altered, to, true)).as("an altered one").isFalse();
            assertThat(stage.follow(small(pool::take, route, write, QPN, 1, PAYLOAD), PLACE.anyPort(1), true))
                    .as("another address")
                    .isFalse();
            assertThat(stage.packets(0)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_RDMA_WRITE_ONLY", "RC_SEND_ONLY", "RC_ACKNOWLEDGE"})
    void aPacketThatFollowsASentOneIsAMessageOfItsOwn(Opcode opcode) throws Exception {
        PacketPool pool = new PacketPool(Arena.ofAuto());
        Route route = route(0);
        InetSocketAddress to = PLACE.anyPort(1);
        SendBuffer again = new SendBuffer(1 << 14);
        SendBuffer once = new SendBuffer(1 << 14);
        try (UdpSocket socket = UdpSocket.open(PLACE.anyPort(0))) {
            SimPacket first = small(pool::take, route, opcode, QPN, 0, PAYLOAD);
            first.encode();
            assertThat(again.add(first, 0, socket, to, true)).isTrue();
            for (int psn = 1; psn < LENGTH; psn++) {
                again.clear();
                once.clear();
                SimPacket packet = small(pool::take, route, opcode, QPN, psn, PAYLOAD);
                assertThat(again.follow(packet, to, true)).isTrue();
                packet.encode();
                assertThat(once.add(packet, 0, socket, to, true)).isTrue();
                assertThat(again.count()).isEqualTo(1);
                assertThat(again.packets(0)).isEqualTo(1);
                assertThat(again.socket(0)).isSameAs(socket);
                assertThat(bytes(again)).isEqualTo(bytes(once));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, LENGTH / 2, LENGTH - 1})
    void packetsOfASegmentBatchArriveUnchangedAndADamagedOneIsUntrusted(int damaged) throws Exception {
        assumeFalse(Loopback.isPortable(), "needs native calls");
        Route route = route(1);
        try (UdpFabric fabric = new UdpFabric(runtime)) {
            fabric.endpoint(PLACE.gid(0), PLACE.anyPort(0));
            fabric.endpoint(PLACE.gid(1), PLACE.anyPort(1));
            FabricPort near = fabric.attach("sim0", List.of(PLACE.gid(0)), SimPacket::release);
            fabric.attach("sim1", List.of(PLACE.gid(1)), this);
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < LENGTH; i++) {
                    int psn = round * LENGTH + i;
                    SimPacket packet = small(near::newPacket, route, Opcode.RC_RDMA_WRITE_ONLY, QPN, psn, PAYLOAD);
                    if (i == damaged && round % 2 == 0) {
                        packet.encode();
                        packet.seal();
                        packet.segment().set(BYTE, packet.payloadOffset(), (byte) -1);
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
        int next = 0;
        for (SimPacket packet : kept) {
            int psn = next++;
            assertThat(packet.trusted())
                    .as("packet %s", psn)
                    .isEqualTo(psn % LENGTH != damaged || psn / LENGTH % 2 > 0);
            if (packet.trusted()) {
                assertArrived(packet, psn);
            }
        }
        assertThat(next).isEqualTo(ROUNDS * LENGTH);
    }

    private static void assertArrived(SimPacket packet, int psn) {
        assertThat(packet.psn()).isEqualTo(psn);
        assertThat(packet.opcode()).isEqualTo(Opcode.RC_RDMA_WRITE_ONLY);
        assertThat(packet.destinationQpn()).isEqualTo(QPN);
        assertThat(packet.ackRequest()).isEqualTo(psn % 3 == 0);
        assertThat(packet.remoteAddress()).isEqualTo(ADDRESS + psn);
        assertThat(packet.remoteKey()).isEqualTo(~psn);
        assertThat(packet.dmaLength()).isEqualTo(PAYLOAD);
        assertThat(packet.payloadLength()).isEqualTo(PAYLOAD);
        byte[] payload =
                packet.segment().asSlice(packet.payloadOffset(), PAYLOAD).toArray(BYTE);
        for (byte each : payload) {
            assertThat(each).isEqualTo((byte) psn);
        }
    }
}
