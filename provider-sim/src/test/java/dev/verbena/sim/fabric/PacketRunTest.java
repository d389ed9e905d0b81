package dev.verbena.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Packets that one receiver takes together. */
class PacketRunTest {
    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final Route route = Route.of(1, 2, 3, 4, 5, 0, 64);
    private final PacketRun run = new PacketRun();
    private final List<String> events = new ArrayList<>();
    private final PacketRun.Taker taker = new PacketRun.Taker() {
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

    private SimPacket packet(Route way, int qpn, int psn) {
        SimPacket packet = pool.take();
        packet.begin(way, Opcode.RC_RDMA_WRITE_ONLY, qpn, psn, false);
        packet.run(run);
        return packet;
    }

    @Test
    void whoTookTheFirstPacketGetsTheOthersAndLearnsOfTheEndOnce() {
        run.open();
        SimPacket first = packet(route, 17, 1);
        assertThat(run.gives(first)).isFalse();
        run.begin(taker);
        first.release();
        assertThat(run.gives(packet(route, 17, 2))).isTrue();
        assertThat(run.gives(packet(route, 17, 3))).isTrue();
        run.end();
        run.end();
        assertThat(events).containsExactly("packet 2", "packet 3", "end");
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void aPacketThatGoesAnotherWayEndsIt() {
        List<Supplier<SimPacket>> others =
                List.of(() -> packet(Route.of(1, 2, 3, 4, 5, 0, 64), 17, 2), () -> packet(route, 18, 2));
        for (Supplier<SimPacket> other : others) {
            run.open();
            SimPacket first = packet(route, 17, 1);
            run.begin(taker);
            first.release();
            assertThat(run.gives(other.get())).isFalse();
            assertThat(events).containsExactly("end");
            assertThat(run.gives(packet(route, 17, 3))).isFalse();
            run.end();
            assertThat(events).containsExactly("end");
            events.clear();
        }
    }

    @Test
    void aPacketThatWasUsedIsTheNextOneButForOneThatIsKept() {
        run.open();
        SimPacket used = packet(route, 17, 1);
        SimPacket kept = packet(route, 17, 2);
        kept.own();
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
