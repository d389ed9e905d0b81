// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Retransmission timers that expire while the application posts, on real threads. Each try posts a batch about when the
 * timer of a lost packet expires, and ends with RETRY_EXCEEDED_ERR. The system property {@code verbena.alarm.tries}
 * sets the number of tries.
 */
class AlarmsUnderLoadTest {
    private static final int TRIES = Integer.getInteger("verbena.alarm.tries", 30);
    private static final AckTimeout TIMEOUT = AckTimeout.ofCode(10);
    private static final Connection CONNECTION = Connection.USUAL.timeout(TIMEOUT, 1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BATCH = 60;

    /**
     * The batch is posted from this time before the timer expires to the same time after it, in {@link #STEPS} steps.
     */
    private static final long AROUND_NANOS = 150_000;

    private static final int STEPS = 60;

    @Test
    void noAlarmIsLostInProcess() throws VerbsException {
        FaultPlan losing =
                FaultPlan.builder().rule((packet, random) -> Verdict.DROP).build();
        ThreadRuntime runtime = new ThreadRuntime(1);
        try (Lab lab = new Lab(runtime, fabric -> new FaultyFabric(fabric, losing, runtime))) {
            Gid silent = lab.node("sim1", "192.0.2.2").address();
            Node node = lab.node("sim0", "192.0.2.1");
            for (int round = 0; round < TRIES; round++) {
                tryOnce(lab, node, silent, round);
            }
        }
    }

    @Test
    @Tag("udp")
    void noAlarmIsLostOverUdp() throws Exception {
        Gid silent = Loopback.ONE_ADDRESS.gid(1);
        try (DatagramSocket peer = new DatagramSocket(Loopback.ONE_ADDRESS.anyPort(1));
                UdpLab udp = new UdpLab(Loopback.ONE_ADDRESS)) {
            udp.udp().endpoint(silent, (InetSocketAddress) peer.getLocalSocketAddress());
            Node node = udp.node(0);
            for (int round = 0; round < TRIES; round++) {
                tryOnce(udp.lab(), node, silent, round);
            }
        }
    }

    private static void tryOnce(Lab lab, Node node, Gid silent, int round) throws VerbsException {
        Endpoint endpoint = node.endpoint();
        CONNECTION.apply(endpoint.qp(), silent, 99);
        SendRequests batch = endpoint.qp().newSendRequests(BATCH);
        for (int i = 0; i < BATCH; i++) {
            batch.get(i).send().signaled().id(1 + i).sge(node.region(), 0, 64);
        }
        endpoint.send(0, 0, 64);
        long at = System.nanoTime() + TIMEOUT.nanos() - AROUND_NANOS + round % STEPS * 2L * AROUND_NANOS / STEPS;
        while (System.nanoTime() < at) {
            Thread.onSpinWait();
        }
        assertThat(endpoint.qp().postSend(batch, BATCH)).isEqualTo(BATCH);
        List<String> completions = new ArrayList<>();
        lab.until(
                () -> {
                    completions.addAll(endpoint.sends());
                    return completions.size() > BATCH;
                },
                PATIENCE);
        assertThat(completions).as("try %s", round).hasSize(1 + BATCH);
        assertThat(completions.getFirst()).isEqualTo("RETRY_EXC_ERR 0");
        endpoint.qp().close();
    }
}
