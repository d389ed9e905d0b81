// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections whose queue pair throws an unchecked exception when it is modified: both sides readReply of the failure. */
class ThrowingQueuePairsTest {
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().build();

    private final VirtualRuntime runtime = new VirtualRuntime(5);
    private CmHost client;
    private CmHost server;

    @BeforeEach
    void makeHosts() throws VerbsException {
        MadWire wire = MadWire.delayed(runtime);
        client = new CmHost(runtime, wire, "10.0.0.1");
        server = new CmHost(runtime, wire, "10.0.0.2");
    }

    private static void throwsAtEachModify(QueuePair queuePair) throws VerbsException {
        doThrow(new UnsupportedOperationException("a fault")).when(queuePair).modify(any());
    }

    @Test
    void aQueuePairThatThrowsWhenItIsMadeIsClosed() throws Exception {
        QueuePair throwing = mock(QueuePair.class);
        when(throwing.type()).thenReturn(QpType.RC);
        throwsAtEachModify(throwing);
        ConnectionId id = client.resolved(server);
        doReturn(throwing).when(client.domain).createQp(any());

        assertThatThrownBy(() -> id.createQp(client.domain, CmHost.rc())).hasMessage("a fault");

        verify(throwing).close();
        id.close();
    }

    @Test
    void aQueuePairThatThrowsWhileAnIdAcceptsRejectsThePeer() throws Exception {
        server.listener();
        client.ready(server).connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            throwsAtEachModify(server.giveQueuePair(request.id()).queuePair());

            assertThatThrownBy(() -> request.id().accept(DEFAULTS)).hasMessage("a fault");
        }
        client.expect(CmEventType.REJECTED).close();
    }

    @Test
    void aQueuePairThatThrowsWhenTheReplyArrivesIsAConnectError() throws Exception {
        server.listener();
        ConnectionId id = client.resolved(server);
        throwsAtEachModify(client.giveQueuePair(id).queuePair());
        id.connect(DEFAULTS);
        try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
            server.giveQueuePair(request.id());
            request.id().accept(DEFAULTS);
        }

        assertThatThrownBy(() -> client.channel.await(CmHost.PATIENCE)).hasStackTraceContaining("a fault");
        client.expect(CmEventType.CONNECT_ERROR).close();
        server.expect(CmEventType.REJECTED).close();
    }
}
