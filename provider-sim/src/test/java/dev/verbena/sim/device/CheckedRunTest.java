// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Icrc;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Packets in direct succession, each of which is checked: a damaged one is lost, and no other. */
class CheckedRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final int LIST = 16;

    /** Damages the last byte before the ICRC of some packets. */
    private record Damaging(Fabric inner, Predicate<SimPacket> which) implements Fabric {
        @Override
        public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
            return new Port(inner.attach(name, gids, receiver), which);
        }

        @Override
        public boolean reaches(Gid source, Gid destination) {
            return inner.reaches(source, destination);
        }

        @Override
        public boolean looksAtBytes() {
            return inner.looksAtBytes();
        }
    }

    private record Port(FabricPort inner, Predicate<SimPacket> which) implements FabricPort {
        @Override
        public SimPacket newPacket() {
            return inner.newPacket();
        }

        @Override
        public void send(SimPacket packet) {
            // The bytes of a segment batch are made where it is checked.
            if (which.test(packet) && packet.count() == 1) {
                int at = packet.length() - Icrc.LENGTH - 1;
                byte value = packet.segment().get(ValueLayout.JAVA_BYTE, at);
                packet.segment().set(ValueLayout.JAVA_BYTE, at, (byte) ~value);
            }
            inner.send(packet);
        }

        @Override
        public boolean carriesSegmentBatches() {
            return inner.carriesSegmentBatches();
        }

        @Override
        public int mtu() {
            return inner.mtu();
        }

        @Override
        public void join(Gid group) throws VerbsException {
            inner.join(group);
        }

        @Override
        public void leave(Gid group) {
            inner.leave(group);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    /** Writes batches between two devices; returns the number of packets that were dropped for their ICRC. */
    private static long writeLists(int lists, long bytes, Predicate<SimPacket> damaged) throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                Lab lab = new Lab(runtime, ideal -> new Damaging(InProcessFabric.checking(runtime), damaged))) {
            Node near = lab.node("sim0", "192.0.2.1");
            Node far = lab.node("sim1", "192.0.2.2");
            Endpoint left = near.endpoint();
            Endpoint right = far.endpoint();
            left.connect(right, Connection.USUAL.timeout(AckTimeout.ofCode(12), 7));
            near.fill(0, LIST * bytes, 1);
            SendRequests list = left.qp().newSendRequests(LIST);
            for (int i = 0; i < LIST; i++) {
                list.get(i)
                        .rdmaWrite(
                                far.region().address() + i * bytes, far.region().rkey())
                        .id(i)
                        .sge(near.region(), i * bytes, bytes);
            }
            list.get(LIST - 1).signaled();
            for (int i = 0; i < lists; i++) {
                far.memory().fill((byte) 0);
                assertThat(left.qp().postSend(list, LIST)).isEqualTo(LIST);
                List<String> sends = new ArrayList<>();
                assertThat(lab.until(() -> sends.addAll(left.sends()), PATIENCE))
                        .isTrue();
                assertThat(sends).containsExactly("RDMA_WRITE " + (LIST - 1));
                assertThat(far.memory()
                                .asSlice(0, LIST * bytes)
                                .mismatch(near.memory().asSlice(0, LIST * bytes)))
                        .isEqualTo(-1);
            }
            return far.count(Counter.DROPPED_ICRC);
        }
    }

    @Property(tries = 10)
    void aDamagedPacketIsDroppedAndSentAgain(@ForAll long seed, @ForAll @IntRange(min = 10, max = 50) int oneOf)
            throws Exception {
        RandomGenerator seeded = new SplittableRandom(seed);
        long[] damaged = {0};
        long dropped = writeLists(5, 10_000, packet -> {
            synchronized (seeded) {
                boolean chosen = packet.opcode().isRequest() && packet.count() == 1 && seeded.nextInt(oneOf) == 0;
                damaged[0] += chosen ? 1 : 0;
                return chosen;
            }
        });
        assertThat(dropped).isEqualTo(damaged[0]);
    }

    @Test
    void theMiddleOfALongMessageIsCheckedAsASegmentBatch() throws Exception {
        List<Integer> counts = Collections.synchronizedList(new ArrayList<>());
        long dropped = writeLists(2, 1 << 16, packet -> {
            counts.add(packet.count());
            return false;
        });
        assertThat(dropped).isZero();
        assertThat(counts).contains(1).anyMatch(count -> count > 1);
    }
}
