// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Connection requests whose handling throws an unchecked exception: their ids are closed, and later requests are accepted. */
class ThrowingRequestsTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    private static UnsupportedOperationException fault() {
        return new UnsupportedOperationException("a fault");
    }

    private static void request(LnetNode node, ConnectionId id) {
        CmEvent event = mock(CmEvent.class);
        when(event.type()).thenReturn(CmEventType.CONNECT_REQUEST);
        when(event.id()).thenReturn(id);
        when(event.privateData()).thenReturn(new byte[0]);
        assertThatThrownBy(() -> {
                    node.lnd().onEvent(event);
                })
                .hasMessage("a fault");
    }

    @Test
    void aRequestThatCannotBeReadIsRejected() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode node =
                    lab.start(1, lab.tunables().privilegedPorts(true, true).build());
            ConnectionId id = mock(ConnectionId.class);
            when(id.peerAddress()).thenThrow(fault());

            request(node, id);

            verify(id).reject(any());
            verify(id).close();
        }
    }

    @Test
    void anIdThatCannotRejectIsClosedAllTheSame() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode node = lab.start(1);
            ConnectionId id = mock(ConnectionId.class);
            doThrow(fault()).when(id).reject(any());

            request(node, id);

            verify(id).close();
        }
    }

    /** The first request's id throws after its queue pair has been made. */
    @Test
    void aRequestWhoseIdThrowsLeavesNothingOpenAndTheNextOneIsAccepted() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            AtomicBoolean throwing = new AtomicBoolean(true);
            LnetNode b = lab.start(
                    whoseRequestsThrow(lab.manager(), throwing),
                    2,
                    lab.tunables().build());
            LnetNode a = lab.start(1);
            long free = b.freeMemory();
            List<LnetEvent> events = new ArrayList<>();
            a.put(Lab.active(lab.memory(8, 1), 1, events), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
            assertThatThrownBy(() -> lab.pass(SOON)).hasMessage("a fault");
            lab.pass(SOON);
            assertThat(events).noneMatch(LnetEvent::isSuccess).hasSize(1);
            assertThat(b.freeMemory()).isEqualTo(free);
            synchronized (DriverParts.lock(b)) {
                assertThat(DriverParts.peers(b).isEmpty()).isTrue();
            }

            throwing.set(false);
            events.clear();
            a.put(Lab.active(lab.memory(8, 1), 1, events), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
            lab.pass(SOON);
            assertThat(events).singleElement().matches(LnetEvent::isSuccess);
        }
    }

    private static ConnectionManager whoseRequestsThrow(ConnectionManager real, AtomicBoolean throwing)
            throws VerbsException {
        EventChannel realChannel = real.createEventChannel();
        EventChannel channel = mock(EventChannel.class, delegatesTo(realChannel));
        doAnswer(call -> {
                    CmEventHandler handler = call.getArgument(0);
                    realChannel.setHandler(event -> handler.onCmEvent(throwing.get() ? throwing(event) : event));
                    return null;
                })
                .when(channel)
                .setHandler(any());
        ConnectionManager manager = mock(ConnectionManager.class, delegatesTo(real));
        doReturn(channel).when(manager).createEventChannel();
        doAnswer(call -> real.createId(realChannel, call.getArgument(1), call.getArgument(2)))
                .when(manager)
                .createId(any(), any(), any());
        return manager;
    }

    private static CmEvent throwing(CmEvent event) {
        if (event.type() != CmEventType.CONNECT_REQUEST) {
            return event;
        }
        ConnectionId id = mock(ConnectionId.class, delegatesTo(event.id()));
        doThrow(fault()).when(id).setContext(any());
        CmEvent same = mock(CmEvent.class, delegatesTo(event));
        doReturn(id).when(same).id();
        return same;
    }
}
