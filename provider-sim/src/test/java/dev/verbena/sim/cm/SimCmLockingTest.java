// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.sim.cm.CmHost.FakeQueuePair;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The manager's lock is free whenever code outside the manager runs. */
class SimCmLockingTest {
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().build();

    private final VirtualRuntime runtime = new VirtualRuntime(5);
    private final MadWire wire = MadWire.inline(runtime);

    /** Returns whether another thread can take the lock of a manager, which shows that no thread holds it. */
    private static boolean isFree(SimConnectionManager manager) {
        try {
            return CompletableFuture.supplyAsync(manager::statistics).get(10, TimeUnit.SECONDS) != null;
        } catch (TimeoutException held) {
            return false;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void madsThatAreAnsweredFromInsideTheSenderMakeAConnection() throws Exception {
        CmHost client = new CmHost(runtime, wire, "10.0.0.1");
        CmHost server = new CmHost(runtime, wire, "10.0.0.2");
        List<Boolean> free = new ArrayList<>();
        wire.onSend(() -> free.add(isFree(client.manager) && isFree(server.manager)));
        server.listener();
        ConnectionId active = client.ready(server);
        active.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            server.giveQueuePair(request.id());
            request.id().accept(DEFAULTS);
        }
        client.expect(CmEventType.ESTABLISHED).close();
        server.expect(CmEventType.ESTABLISHED).close();
        active.disconnect();
        server.expect(CmEventType.DISCONNECTED).close();

        assertThat(free).as("REQ, REP, RTU, DREQ").hasSize(4).containsOnly(true);
    }

    @Test
    void aDeviceMayConnectToItself() throws Exception {
        CmHost host = new CmHost(runtime, wire, "10.0.0.1");
        host.listener();
        ConnectionId active = host.ready(host);
        active.connect(DEFAULTS);
        ConnectionId passive;
        try (CmEvent request = host.expect(CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        host.giveQueuePair(passive);
        passive.accept(DEFAULTS);
        host.expect(CmEventType.ESTABLISHED).close();
        host.expect(CmEventType.ESTABLISHED).close();
        assertThat(active.queuePair().orElseThrow().state()).isEqualTo(QpState.RTS);
        assertThat(passive.queuePair().orElseThrow().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void theLockIsFreeWhileQueuePairsMoveAndHandlersRun() throws Exception {
        CmHost client = new CmHost(runtime, wire, "10.0.0.1");
        CmHost server = new CmHost(runtime, wire, "10.0.0.2");
        List<Boolean> free = new ArrayList<>();
        server.listener();
        ConnectionId active = client.ready(server);
        FakeQueuePair activeQp = client.fake(active.queuePair().orElseThrow());
        doAnswer(call -> free.add(isFree(client.manager)))
                .when(activeQp.queuePair())
                .modify(any());
        client.channel.setHandler(event -> free.add(isFree(client.manager)));
        active.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            server.giveQueuePair(request.id());
            request.id().accept(DEFAULTS);
        }
        server.expect(CmEventType.ESTABLISHED).close();
        assertThat(runtime.await(() -> free.size() == 3, CmHost.PATIENCE)).isTrue();

        assertThat(free).as("RTR, RTS, ESTABLISHED").hasSize(3).containsOnly(true);
    }
}
