// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.fault.provider.CompletionFate;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The state of a node after one of its tasks called a method that threw an unchecked exception. */
class ThrowingTasksTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @Test
    void aCompletionWhoseHandlingThrowsEndsItsConnectionAndNoOther() throws VerbsException {
        AtomicInteger throwAfter = new AtomicInteger(Integer.MAX_VALUE);
        try (Lab lab = new Lab(1).delaying(completion -> {
            if (throwAfter.getAndDecrement() == 0) {
                throw new UnsupportedOperationException("a fault");
            }
            return CompletionFate.DELIVER;
        })) {
            LnetNode a = lab.start(1);
            LnetNode b = lab.start(2);
            assertThat(putOne(lab, a, b)).hasSize(1);
            Connection connection = connectionOf(a);
            throwAfter.set(0);

            List<LnetEvent> events = new ArrayList<>();
            a.put(Lab.active(lab.memory(8, 1), 1, events), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
            assertThatThrownBy(() -> lab.pass(SOON)).hasStackTraceContaining("a fault");
            lab.pass(SOON);

            assertThat(connection.state()).isEqualTo(ConnectionState.DESTROYED);
            assertThat(events).hasSize(1);
            assertThat(putOne(lab, a, b)).singleElement().matches(LnetEvent::isSuccess);
        }
    }

    private static Connection connectionTo9(LnetNode node, ConnectionId id) {
        Peer peer = new Peer(node.lnd().context(), node.ni(), Lab.nid(9));
        return new Connection(DriverParts.peers(node), peer, id, true);
    }

    private static Connection connectionOf(LnetNode node) {
        synchronized (DriverParts.lock(node)) {
            return DriverParts.allPeers(node).iterator().next().connections().getFirst();
        }
    }

    private static List<LnetEvent> putOne(Lab lab, LnetNode from, LnetNode to) {
        List<LnetEvent> events = new ArrayList<>();
        from.put(Lab.active(lab.memory(8, 1), 1, events), false, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        lab.pass(SOON);
        return events;
    }

    @Test
    void aConnectionWhoseDisconnectThrowsIsDestroyedAllTheSame() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode node = lab.start(1);
            ConnectionId id = mock(ConnectionId.class);
            doThrow(new UnsupportedOperationException("a fault")).when(id).disconnect();
            synchronized (DriverParts.lock(node)) {
                Connection connection = connectionTo9(node, id);
                connection.connected();
                DriverParts.daemon(node).tearDown(connection);
            }
            assertThatThrownBy(() -> lab.pass(SOON)).hasStackTraceContaining("a fault");
            lab.pass(SOON);

            verify(id).close();
            synchronized (DriverParts.lock(node)) {
                assertThat(DriverParts.daemon(node).isIdle()).isTrue();
            }
        }
    }

    @Test
    void aConnectionWhoseClosingThrowsKeepsNoOtherOpenAndIsTriedAgain() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode node = lab.start(1);
            ConnectionId throwing = mock(ConnectionId.class);
            ConnectionId other = mock(ConnectionId.class);
            doThrow(new UnsupportedOperationException("a fault"))
                    .doNothing()
                    .when(throwing)
                    .close();
            synchronized (DriverParts.lock(node)) {
                for (ConnectionId id : List.of(throwing, other)) {
                    Connection connection = connectionTo9(node, id);
                    connection.connected();
                    DriverParts.daemon(node).tearDown(connection);
                }
            }
            lab.pass(SOON);

            verify(throwing, times(2)).close();
            verify(other).close();
            synchronized (DriverParts.lock(node)) {
                assertThat(DriverParts.daemon(node).isIdle()).isTrue();
            }
        }
    }

    @Test
    void aMoveToAnotherDeviceThatThrowsClosesItsListenerAndIsTriedAgain() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            ConnectionManager real =
                    lab.provider().extension(ConnectionManager.class).orElseThrow();
            ConnectionManager manager = mock(ConnectionManager.class, delegatesTo(real));
            LnetNode node = lab.start(manager, 1, lab.tunables().failover(true).build());
            lab.provider().unplug("sim0");
            assertThat(lab.await(() -> !node.isUp(), SOON)).isTrue();
            List<ConnectionId> throwing = new ArrayList<>();
            doAnswer(call -> {
                        ConnectionId id = mock(
                                ConnectionId.class,
                                delegatesTo(delegatesTo(real).answer(call)));
                        doThrow(new UnsupportedOperationException("a fault"))
                                .when(id)
                                .listen(anyInt());
                        throwing.add(id);
                        return id;
                    })
                    .doAnswer(delegatesTo(real))
                    .when(manager)
                    .createId(any(), any(), any());
            lab.provider().plug(SimDeviceSpec.of("spare", "10.0.0.1"));

            assertThatThrownBy(() -> lab.pass(SOON)).hasStackTraceContaining("a fault");
            assertThat(lab.await(node::isUp, SOON)).isTrue();
            verify(throwing.getFirst()).close();
        }
    }

    @Test
    void anAttemptToConnectThatThrowsFailsItsMessagesAndTheNextAttemptIsMade() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            ConnectionManager real =
                    lab.provider().extension(ConnectionManager.class).orElseThrow();
            ConnectionManager manager = mock(ConnectionManager.class, delegatesTo(real));
            LnetNode b = lab.start(2);
            try (LnetNode a = LnetNode.start(manager, lab.addressOf(1), Lab.nid(1), O2ibTunables.defaults())) {
                doThrow(new UnsupportedOperationException("a fault"))
                        .doAnswer(delegatesTo(real))
                        .when(manager)
                        .createId(any(), any(), any());
                List<LnetEvent> events = new ArrayList<>();
                assertThatThrownBy(() -> a.put(
                                Lab.active(lab.memory(8, 1), 1, events), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0))
                        .hasMessage("a fault");
                lab.pass(SOON);
                assertThat(events).noneMatch(LnetEvent::isSuccess).hasSize(1);
                assertThat(putOne(lab, a, b)).singleElement().matches(LnetEvent::isSuccess);
            }
        }
    }
}
