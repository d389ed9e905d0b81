// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import static dev.verbena.sim.fabric.Ports.gid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.Ports;
import dev.verbena.sim.runtime.Registration;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fabric with faults at one end of the links only: sim0 and sim2 are attached to it, sim1 is elsewhere. */
class OneEndTest {
    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final InProcessFabric wire = new InProcessFabric(runtime);
    private final FaultyFabric near = FaultyFabric.atOneEnd(wire, FaultPlan.none(), runtime);
    private final FabricPort[] ports = new FabricPort[3];
    private final List<String> arrivals = new ArrayList<>();

    @BeforeEach
    void attach() throws VerbsException {
        for (int i = 0; i < ports.length; i++) {
            int number = i;
            ports[i] = Ports.attach(i == 1 ? wire : near, i, packet -> {
                arrivals.add("sim" + number + " psn " + packet.bth().psn());
                packet.release();
            });
        }
    }

    private void send(int from, int to, int psn) {
        ports[from].send(Ports.packet(ports[from], gid(from), gid(to), psn, 64));
    }

    private void settle() throws InterruptedException {
        runtime.await(() -> false, Duration.ofSeconds(1));
    }

    @Test
    void faultsBefallThePacketsOfBothDirections() throws Exception {
        near.add(LinkRule.always(packet -> packet.psn() == 2, Verdict.DROP));
        near.add(LinkRule.always(packet -> packet.psn() == 3, new Verdict.Duplicate(1)));
        for (int psn = 1; psn <= 3; psn++) {
            send(0, 1, psn);
            send(1, 0, psn);
        }
        settle();
        assertThat(arrivals)
                .containsExactlyInAnyOrder(
                        "sim1 psn 1", "sim1 psn 3", "sim1 psn 3", "sim0 psn 1", "sim0 psn 3", "sim0 psn 3");
        assertThat(near.count(FaultKind.DROP)).isEqualTo(2);
        assertThat(near.count(FaultKind.DUPLICATE)).isEqualTo(2);
    }

    @Test
    void heldPacketsArriveWhenTheRuleEnds() throws Exception {
        Registration clog = near.add(LinkRule.clog(packet -> packet.source().equals(gid(1))));
        send(1, 0, 1);
        send(1, 0, 2);
        settle();
        assertThat(arrivals).isEmpty();
        clog.close();
        settle();
        assertThat(arrivals).containsExactly("sim0 psn 1", "sim0 psn 2");
    }

    @Test
    void aPacketBetweenTwoLocalPortsIsJudgedOnce() throws Exception {
        List<String> seen = new ArrayList<>();
        near.add((packet, random) -> {
            seen.add(packet.source() + "->" + packet.destination());
            return Verdict.PASS;
        });
        send(0, 2, 1);
        send(1, 2, 1);
        settle();
        assertThat(seen).containsExactly(gid(0) + "->" + gid(2), gid(1) + "->" + gid(2));
    }
}
