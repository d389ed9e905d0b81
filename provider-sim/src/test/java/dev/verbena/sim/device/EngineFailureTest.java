// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.JumpingRuntime;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An exception inside an engine makes its queue pair fail with an event, and has no other effect. */
class EngineFailureTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final IllegalStateException defect = new IllegalStateException("defect");

    private final JumpingRuntime runtime = new JumpingRuntime(1, 1000);
    private final Lab lab = new Lab(runtime);
    private final QpEngine engine = mock(QpEngine.class);
    private Node node;
    private Endpoint failing;
    private Endpoint peer;

    @BeforeEach
    void connect() throws VerbsException {
        node = lab.node("sim0", "192.0.2.1");
        failing = node.endpoint();
        peer = lab.node("sim1", "192.0.2.2").endpoint();
        failing.connect(peer, Connection.USUAL);
        when(engine.nextDeadline()).thenReturn(QpEngine.NEVER);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private SimQueuePair queuePair() {
        return (SimQueuePair) failing.qp();
    }

    @Test
    void takesTheQueuePairToErrWithAnEventAndAReason() {
        failing.receive(1, 0, 100);
        failing.receive(2, 0, 100);
        queuePair().engineFailed(defect);
        lab.settle();
        assertThat(failing.state()).isEqualTo(QpState.ERR);
        assertThat(node.events()).containsExactly("QP_FATAL");
        assertThat(failing.receives()).containsExactly("WR_FLUSH_ERR 1", "WR_FLUSH_ERR 2");
        assertThat(node.count(Counter.ENGINE_FAILURES)).isEqualTo(1);
        assertThat(runtime.failures()).containsExactly(defect);
        assertThat(failing.qp().explain().rootCause().orElseThrow().description())
                .startsWith("an exception inside this library");
    }

    @Test
    void isReportedOnceForEachPassAndNoPassFollowsByItself() {
        List<Throwable> failures = new ArrayList<>();
        when(engine.stepSend(anyLong())).thenThrow(defect);
        when(engine.stepReceive()).thenThrow(defect);
        EngineDriver driver =
                new EngineDriver(runtime, queuePair().engineContext(), engine, mock(SimPort.class), failures::add);
        driver.wake();
        lab.settle();
        assertThat(failures).containsExactly(defect, defect);
    }

    @Test
    void leavesTheAlarmArmed() {
        List<Throwable> failures = new ArrayList<>();
        when(engine.nextDeadline()).thenReturn(SECOND.toNanos());
        when(engine.stepSend(anyLong())).thenThrow(defect).thenReturn(false);
        EngineDriver driver =
                new EngineDriver(runtime, queuePair().engineContext(), engine, mock(SimPort.class), failures::add);
        driver.sendTask().run();
        assertThat(failures).hasSize(1);
        when(engine.stepSend(anyLong())).thenThrow(defect);
        lab.until(() -> failures.size() == 2, SECOND.plus(SECOND));
        assertThat(failures).hasSize(2);
    }

    @Test
    void leavesTheReceiveTaskToOthersWhenAPacketArrives() {
        SimQueuePair other = (SimQueuePair) peer.qp();
        when(engine.receivesAtOnce()).thenThrow(defect);
        EngineDriver driver =
                new EngineDriver(runtime, other.engineContext(), engine, mock(SimPort.class), other::engineFailed);
        SimQpOutput output = mock(SimQpOutput.class);
        PacketDispatcher intake = new PacketDispatcher(
                other.engineContext(),
                engine,
                driver,
                output,
                peer.node().simDevice().counters(),
                mock(SimPort.class),
                other::engineFailed);
        when(engine.stepReceive()).thenAnswer(_ -> {
            other.engineContext().requests().drain();
            return false;
        });
        SimPacket packet = new PacketPool(Arena.ofAuto()).take();
        packet.begin(Route.of(1, 2, 3, 4, 5, 0, 64), Opcode.RC_SEND_ONLY, other.number(), 100, false);
        intake.onPacket(packet);
        assertThat(other.state()).isEqualTo(QpState.ERR);
        assertThat(runtime.failures()).contains(defect);
        assertThat(driver.receiveTask().tryBegin()).isTrue();
        driver.receiveTask().end();
    }
}
