// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Psn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A segment batch on a wire: its packets in a row, each as if it had been sent alone. */
class SegmentBatchImageTest {
    private static final int BTH_VARIANT = Bth.FECN_OFFSET;

    private final PacketPool pool = new PacketPool(Arena.ofAuto());

    /** The bytes of a sender, and the number of times they were closed. */
    private static final class Borrowed implements SimPacket.Payload {
        private final MemorySegment bytes;
        private int closed;

        Borrowed(byte[] bytes) {
            this.bytes = MemorySegment.ofArray(bytes);
        }

        @Override
        public MemorySegment segment() {
            return bytes;
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private static SimPacket batch(
            SimPacket packet, boolean ipv6, int psn, boolean asks, int count, Borrowed borrowed) {
        Gid from = ipv6 ? Gid.parse("fd77::1") : Ports.gid(0);
        Gid to = ipv6 ? Gid.parse("fd77::2") : Ports.gid(1);
        Route route = Route.of(from.high(), from.low(), to.high(), to.low(), 0xc123, 5, 64);
        packet.begin(route, Opcode.RC_RDMA_WRITE_MIDDLE, 17, psn, true);
        packet.ackRequest(asks);
        packet.carries((int) borrowed.bytes.byteSize() / count);
        packet.refer(borrowed);
        packet.count(count);
        return packet;
    }

    private static Borrowed random(long seed, int bytes) {
        byte[] content = new byte[bytes];
        RandomGenerator random = new SplittableRandom(seed);
        random.nextBytes(content);
        return new Borrowed(content);
    }

    @Property(tries = 200)
    void packetsAreThoseThatWouldBeSentAlone(
            @ForAll long seed,
            @ForAll boolean ipv6,
            @ForAll boolean asks,
            @ForAll @IntRange(max = Psn.MASK) int psn,
            @ForAll @IntRange(min = 2, max = 64) int count,
            @ForAll @IntRange(min = 8, max = 12) int mtu) {
        Borrowed borrowed = random(seed, count << mtu);
        SimPacket batch = batch(pool.take(), ipv6, psn, asks, count, borrowed);
        List<byte[]> alone = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SimPacket single = batch.single(i);
            single.encode();
            single.seal();
            alone.add(single.segment()
                    .asSlice(single.bthOffset(), single.length() - single.bthOffset())
                    .toArray(ValueLayout.JAVA_BYTE));
        }
        SegmentBatchImage image = new SegmentBatchImage();
        assertThat(image.carry(batch)).isTrue();
        assertThat(borrowed.closed).isEqualTo(1);
        assertThat(batch.trusted()).isTrue();
        assertThat(batch.psn()).isEqualTo(psn);
        assertThat(batch.ackRequest()).isEqualTo(asks);
        int headers = batch.payloadOffset() - batch.bthOffset();
        for (int i = 0; i < count; i++) {
            assertThat(batch.payload()
                            .asSlice(batch.payloadStart(i) - headers, alone.get(i).length)
                            .toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(alone.get(i));
        }
    }

    @Property(tries = 200)
    void aDamagedPacketFailsItsCheck(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 64) int count,
            @ForAll @IntRange(max = 63) int victim,
            @ForAll @IntRange(max = 255 + Bth.LENGTH + Icrc.LENGTH) int at) {
        SimPacket batch = batch(pool.take(), false, 1, true, count, random(seed, count << 8));
        SegmentBatchImage image = new SegmentBatchImage();
        assertThat(image.carry(batch)).isTrue();
        int damaged = victim % count;
        long place = batch.payloadStart(damaged) - Bth.LENGTH + at;
        byte value = image.segment().get(ValueLayout.JAVA_BYTE, place);
        image.segment().set(ValueLayout.JAVA_BYTE, place, (byte) (value ^ (1 << (seed & 7))));
        for (int i = 0; i < count; i++) {
            assertThat(image.isIntact(i)).as("packet " + i).isEqualTo(i != damaged || at == BTH_VARIANT);
        }
    }

    @Test
    void thereIsRoomForAnotherWhenTheFirstIsGone() {
        SegmentBatchImage image = new SegmentBatchImage();
        SimPacket first = batch(pool.take(), false, 1, true, 2, random(1, 512));
        Borrowed borrowed = random(2, 512);
        SimPacket second = batch(pool.take(), false, 3, true, 2, borrowed);
        assertThat(image.carry(first)).isTrue();
        assertThat(image.carry(second)).isFalse();
        assertThat(borrowed.closed).isZero();
        assertThat(second.payload()).isSameAs(borrowed.bytes);
        first.release();
        assertThat(image.carry(second)).isTrue();
    }

    /** Keeps the received packets unchanged. */
    private static final class Keeper implements PacketReceiver {
        private final List<SimPacket> packets = new ArrayList<>();
        private Runnable before = () -> {};

        @Override
        public boolean takesFields() {
            return true;
        }

        @Override
        public void onPacket(SimPacket packet) {
            before.run();
            packets.add(packet);
        }
    }

    @Test
    void aSegmentBatchWithoutRoomArrivesPacketByPacketToBeChecked() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            InProcessFabric fabric = InProcessFabric.checking(runtime);
            Keeper keeper = new Keeper();
            FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
            Ports.attach(fabric, 1, keeper);
            sender.send(batch(sender.newPacket(), false, 1, false, 2, random(1, 512)));
            Borrowed borrowed = random(2, 512);
            sender.send(batch(sender.newPacket(), false, 3, true, 2, borrowed));
            assertThat(borrowed.closed).isEqualTo(1);
            assertThat(keeper.packets).extracting(SimPacket::count).containsExactly(2, 1, 1);
            assertThat(keeper.packets).extracting(SimPacket::trusted).containsExactly(true, false, false);
            SimPacket last = keeper.packets.getLast();
            assertThat(last.parse(last.length())).isEqualTo(PacketDefect.OK);
            assertThat(last.icrcValid()).isTrue();
            assertThat(last.bth().psn()).isEqualTo(4);
            keeper.packets.forEach(SimPacket::release);
            assertThat(fabric.packetsInUse()).isZero();
        }
    }

    /** The receiver of a packet may wait for a thread that waits for the batch's zero-copy payload. */
    @Test
    void theZeroCopyPayloadIsReleasedBeforeThePacketsAreReceived() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1)) {
            InProcessFabric fabric = InProcessFabric.checking(runtime);
            Keeper keeper = new Keeper();
            FabricPort sender = Ports.attach(fabric, 0, SimPacket::release);
            Ports.attach(fabric, 1, keeper);
            sender.send(batch(sender.newPacket(), false, 1, false, 2, random(1, 512)));
            Borrowed borrowed = random(2, 512);
            keeper.before = () -> assertThat(borrowed.closed).isEqualTo(1);
            sender.send(batch(sender.newPacket(), false, 3, true, 2, borrowed));
            assertThat(keeper.packets).hasSize(3);
            keeper.packets.forEach(SimPacket::release);
        }
    }
}
