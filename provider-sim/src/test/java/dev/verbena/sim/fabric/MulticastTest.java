// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MulticastTest {
    private static final Gid GROUP = Gid.parse("239.0.0.77");
    private static final Gid OTHER = Gid.parse("239.0.0.78");

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final InProcessFabric inner = new InProcessFabric(runtime);
    private final List<String> log = new ArrayList<>();
    private final List<FabricPort> ports = new ArrayList<>();

    @BeforeEach
    void attach() throws Exception {
        attach(inner);
    }

    private void attach(Fabric fabric) throws VerbsException {
        ports.clear();
        for (int i = 0; i < 4; i++) {
            String name = "sim" + i;
            ports.add(Ports.attach(fabric, i, packet -> {
                log.add(name + " psn " + packet.bth().psn());
                packet.release();
            }));
        }
    }

    private void send(int from, Gid group, int psn) throws InterruptedException {
        ports.get(from).send(Ports.packet(ports.get(from), gid(from), group, psn, 64));
        runtime.await(() -> false, Duration.ofMillis(1));
    }

    private void join(int... numbers) throws VerbsException {
        for (int number : numbers) {
            ports.get(number).join(GROUP);
        }
    }

    @Test
    void membersGetAPacketEachInTheOrderOfTheirJoining() throws Exception {
        join(2, 1, 3);
        send(0, GROUP, 7);
        assertThat(log).containsExactly("sim2 psn 7", "sim1 psn 7", "sim3 psn 7");
    }

    @Test
    void theSenderGetsACopyOnlyIfItIsAMember() throws Exception {
        join(1);
        send(0, GROUP, 1);
        join(0);
        send(0, GROUP, 2);
        assertThat(log).containsExactly("sim1 psn 1", "sim1 psn 2", "sim0 psn 2");
    }

    @Test
    void everyMemberOwnsItsCopy() throws Exception {
        List<SimPacket> kept = new ArrayList<>();
        for (int i = 4; i < 6; i++) {
            Ports.attach(inner, i, kept::add).join(GROUP);
        }
        SimPacket packet = Ports.packet(ports.getFirst(), gid(0), GROUP, 1, 64);
        packet.trusted(false);
        ports.getFirst().send(packet);
        runtime.await(() -> kept.size() == 2, Duration.ofSeconds(1));
        kept.getFirst().segment().fill((byte) 0xFF);
        assertThat(kept.getLast().bth().psn()).isEqualTo(1);
        assertThat(kept).noneMatch(SimPacket::trusted);
    }

    @Test
    void joiningTwiceIsJoiningOnceAndLeavingEndsIt() throws Exception {
        join(1, 1, 2);
        send(0, GROUP, 1);
        ports.get(1).leave(GROUP);
        ports.get(1).leave(GROUP);
        send(0, GROUP, 2);
        assertThat(log).containsExactly("sim1 psn 1", "sim2 psn 1", "sim2 psn 2");
    }

    @Test
    void groupsAreSeparateAndAPacketToAnEmptyGroupIsUndeliverable() throws Exception {
        join(1);
        ports.get(2).join(OTHER);
        send(0, OTHER, 1);
        assertThat(log).containsExactly("sim2 psn 1");
        assertThat(inner.reaches(gid(1), OTHER)).isTrue();
        ports.get(2).leave(OTHER);
        send(0, OTHER, 2);
        assertThat(log).hasSize(1);
        assertThat(inner.undeliverable()).isEqualTo(1);
        assertThat(inner.reaches(gid(1), OTHER)).isFalse();
    }

    @Test
    void aClosedPortIsInNoGroupAndJoinsNone() throws Exception {
        join(1, 2);
        ports.get(1).close();
        ports.get(1).join(GROUP);
        send(0, GROUP, 1);
        assertThat(log).containsExactly("sim2 psn 1");
        assertThat(inner.undeliverable()).isZero();
    }

    @Test
    void noPacketIsLostToThePool() throws Exception {
        join(0, 1, 2, 3);
        for (int psn = 0; psn < 100; psn++) {
            send(psn % 4, GROUP, psn);
        }
        assertThat(log).hasSize(400);
        assertThat(inner.pool().made()).isEqualTo(4);
    }

    @Test
    void decoratorsSeeOnePacketOnTheLinkToTheGroup() throws Exception {
        List<String> links = new ArrayList<>();
        FaultPlan loseSecond = FaultPlan.builder()
                .rule((packet, random) -> packet.ordinal() == 1 ? Verdict.DROP : Verdict.PASS)
                .build();
        InProcessFabric fresh = new InProcessFabric(runtime);
        attach(new TappedFabric(
                new FaultyFabric(fresh, loseSecond, runtime), runtime, (time, link, packet) -> links.add(link)));
        join(1, 2);
        send(0, GROUP, 1);
        send(0, GROUP, 2);
        send(0, GROUP, 3);
        assertThat(links).hasSize(3).containsOnly("sim0->::ffff:239.0.0.77");
        assertThat(log).containsExactly("sim1 psn 1", "sim2 psn 1", "sim1 psn 3", "sim2 psn 3");
    }

    @Test
    void underWallTimeTheSendersThreadDelivers() throws Exception {
        try (ThreadRuntime threads = new ThreadRuntime(1)) {
            attach(new InProcessFabric(threads));
            join(3, 1);
            ports.getFirst().send(Ports.packet(ports.getFirst(), gid(0), GROUP, 9, 0));
            assertThat(log).containsExactly("sim3 psn 9", "sim1 psn 9");
        }
    }
}
