package dev.verbena.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packets that one receiver takes as a burst. */
class PacketBurstTest {
    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final Route route = Route.of(1, 2, 3, 4, 5, 0, 64);
    private final PacketBurst run = new PacketBurst();
    private final List<String> events = new ArrayList<>();
    private final PacketBurst.Taker taker = new PacketBurst.Taker() {
        @Override
        public void take(SimPacket packet) {
            events.add("packet " + packet.psn());
            packet.release();
        }

        @Override
        public void end() {
            events.add("end");
        }
    };

    private SimPacket packet(int psn) {
        SimPacket packet = pool.take();
        packet.begin(route, Opcode.RC_RDMA_WRITE_ONLY, 17, psn, false);
        packet.run(run);
        return packet;
    }

    @Test
    void theTakerOfTheFirstPacketGetsTheOthersAndOneEnd() {
        run.open();
        SimPacket first = packet(1);
        assertThat(run.gives(first)).isFalse();
        run.begin(taker);
        first.release();
        assertThat(run.gives(packet(2))).isTrue();
        assertThat(run.gives(packet(3))).isTrue();
        run.end();
        run.end();
        assertThat(events).containsExactly("packet 2", "packet 3", "end");
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void aPacketThatWasUsedIsTheNextOneButForOneThatIsKept() {
        run.open();
        SimPacket used = packet(1);
        SimPacket kept = packet(2);
        kept.copyOut();
        used.release();
        kept.release();
        assertThat(run.spare()).isSameAs(used);
        assertThat(run.spare()).isNull();
        used.run(run);
        used.release();
        assertThat(pool.inUse()).isEqualTo(1);
        run.end();
        assertThat(pool.inUse()).isZero();
    }
}
