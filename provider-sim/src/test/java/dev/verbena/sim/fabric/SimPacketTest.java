// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A zero-copy payload is closed exactly once, in every use of the packet. */
class SimPacketTest implements SimPacket.Payload {
    private static final byte[] BYTES = {9, 8, 7, 6, 5, 4, 3, 2};

    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private int closed;

    @Override
    public MemorySegment segment() {
        assertThat(closed).isZero();
        return MemorySegment.ofArray(BYTES);
    }

    @Override
    public long offset() {
        return 3;
    }

    @Override
    public void close() {
        closed++;
    }

    private SimPacket lent() throws Exception {
        try (VirtualRuntime runtime = new VirtualRuntime(1)) {
            FabricPort port = Ports.attach(new InProcessFabric(runtime), 0, SimPacket::release);
            SimPacket packet = pool.take();
            packet.copyFrom(Ports.packet(port, Ports.gid(0), Ports.gid(1), 1, 4));
            packet.refer(this);
            return packet;
        }
    }

    private static byte[] payload(SimPacket packet) {
        return packet.payload()
                .asSlice(packet.payloadStart(), packet.payloadLength())
                .toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void aPayloadElsewhereIsReadThere() throws Exception {
        SimPacket packet = lent();
        assertThat(payload(packet)).containsExactly(6, 5, 4, 3);
        assertThat(closed).isZero();
    }

    @Test
    void aPacketThatTakesItsPayloadGivesItBackFirst() throws Exception {
        SimPacket packet = lent();
        packet.copyOut();
        assertThat(closed).isEqualTo(1);
        assertThat(packet.payload()).isSameAs(packet.segment());
        assertThat(payload(packet)).containsExactly(6, 5, 4, 3);
        packet.copyOut();
        packet.release();
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void aPacketThatIsReleasedGivesItBack() throws Exception {
        SimPacket packet = lent();
        packet.release();
        assertThat(closed).isEqualTo(1);
        assertThat(pool.take().payload()).isSameAs(packet.segment());
    }

    @Test
    void aCopyHasItsOwn() throws Exception {
        SimPacket copy = lent().copy();
        assertThat(closed).isEqualTo(1);
        assertThat(copy.payload()).isSameAs(copy.segment());
        assertThat(payload(copy)).containsExactly(6, 5, 4, 3);
    }

    @Test
    void aSegmentBatchConsistsOfSinglePackets() throws Exception {
        SimPacket batch = lent();
        batch.begin(Route.of(0, 1, 0, 2, 0xc000, 0, 64), Opcode.RC_RDMA_WRITE_MIDDLE, 17, 0xffffff, false);
        batch.ackRequest(true);
        batch.carries(2);
        batch.count(2);
        SimPacket first = batch.single(0);
        SimPacket second = batch.single(1);
        assertThat(payload(first)).containsExactly(6, 5);
        assertThat(payload(second)).containsExactly(4, 3);
        assertThat(first.psn()).isEqualTo(0xffffff);
        assertThat(second.psn()).isZero();
        assertThat(first.ackRequest()).isFalse();
        assertThat(second.ackRequest()).isTrue();
        assertThat(first.count()).isEqualTo(1);
        assertThat(first.opcode()).isEqualTo(batch.opcode());
        batch.release();
        assertThat(closed).isEqualTo(1);
    }

    private SimPacket batch(Route route) {
        SimPacket batch = pool.take();
        batch.refer(this);
        batch.begin(route, Opcode.RC_RDMA_WRITE_MIDDLE, 17, 5, false);
        batch.carries(2);
        batch.count(2);
        return batch;
    }

    @Test
    void aSegmentBatchCannotOwnItsPayloads() {
        SimPacket batch = batch(Route.of(0, 1, 0, 2, 0xc000, 0, 64));
        assertThatThrownBy(batch::copyOut).isInstanceOf(IllegalStateException.class);
        assertThat(closed).isZero();
        batch.release();
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void everyMemberOfAGroupGetsEachPacketOfASegmentBatch() throws Exception {
        Gid group = Gid.parse("239.0.0.77");
        List<String> arrived = new ArrayList<>();
        try (ThreadRuntime threads = new ThreadRuntime(1)) {
            InProcessFabric fabric = new InProcessFabric(threads);
            for (int i = 0; i < 2; i++) {
                String member = "sim" + i;
                Ports.attach(fabric, i, packet -> {
                            arrived.add(member + " psn " + packet.bth().psn() + " " + Arrays.toString(payload(packet)));
                            packet.release();
                        })
                        .join(group);
            }
            FabricPort sender = Ports.attach(fabric, 2, SimPacket::release);
            Gid from = Ports.gid(2);
            sender.send(batch(Route.of(from.high(), from.low(), group.high(), group.low(), 0xc000, 0, 64)));
        }
        assertThat(arrived)
                .containsExactly("sim0 psn 5 [6, 5]", "sim1 psn 5 [6, 5]", "sim0 psn 6 [4, 3]", "sim1 psn 6 [4, 3]");
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void onlyWhatIsDeliveredAtOnceMayRefer() throws Exception {
        try (ThreadRuntime threads = new ThreadRuntime(1);
                VirtualRuntime virtual = new VirtualRuntime(1)) {
            assertThat(Ports.attach(new InProcessFabric(threads), 0, SimPacket::release)
                            .carriesZeroCopy())
                    .isTrue();
            assertThat(Ports.attach(InProcessFabric.checking(threads), 0, SimPacket::release)
                            .carriesZeroCopy())
                    .isFalse();
            assertThat(Ports.attach(new InProcessFabric(virtual), 0, SimPacket::release)
                            .carriesZeroCopy())
                    .isFalse();
            assertThat(Ports.attach(InProcessFabric.checking(threads), 0, SimPacket::release)
                            .carriesSegmentBatches())
                    .isTrue();
            assertThat(Ports.attach(InProcessFabric.checking(virtual), 0, SimPacket::release)
                            .carriesSegmentBatches())
                    .isFalse();
        }
    }
}
