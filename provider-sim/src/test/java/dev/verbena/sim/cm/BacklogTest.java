// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A request occupies a place of its listener's backlog while its event is queued, as in Linux ({@code ucma_get_event}
 * returns the place), not until the request is answered.
 */
class BacklogTest {
    private static final int BACKLOG = 2;
    private static final int CLIENTS = 7;
    /** Long enough for the first REQ of each client, too short for a second one. */
    private static final Duration FIRST_TRY = Duration.ofSeconds(1);
    /** A REQ is repeated every 4608 ms, a SIDR_REQ every 4096 ms. */
    private static final Duration NEXT_TRY = Duration.ofSeconds(5);

    private final VirtualRuntime runtime = new VirtualRuntime(11);
    private CmHost client;
    private CmHost server;

    @BeforeEach
    void makeHosts() throws VerbsException {
        MadWire wire = MadWire.delayed(runtime);
        client = new CmHost(runtime, wire, "10.0.0.1");
        server = new CmHost(runtime, wire, "10.0.0.2");
    }

    private ConnectionId listener(PortSpace portSpace) throws VerbsException {
        ConnectionId listener = server.newId(portSpace);
        listener.bind(server.at(CmHost.PORT));
        listener.listen(BACKLOG);
        return listener;
    }

    private void connectAll(PortSpace portSpace) throws VerbsException, InterruptedException {
        QpType type = portSpace == PortSpace.UDP ? QpType.UD : QpType.RC;
        List<ConnectionId> ids = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            ConnectionId id = client.resolved(server, portSpace);
            client.giveQueuePair(id, type);
            ids.add(id);
        }
        for (ConnectionId id : ids) {
            id.connect(ConnectionParameters.builder().build());
        }
    }

    private void pass(Duration time) throws InterruptedException {
        assertThat(runtime.await(() -> false, time)).isFalse();
    }

    private int fetch() throws VerbsException {
        int count = 0;
        for (CmEvent event = server.channel.poll().orElse(null);
                event != null;
                event = server.channel.poll().orElse(null)) {
            assertThat(event.type()).isEqualTo(CmEventType.CONNECT_REQUEST);
            event.close();
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "UDP"})
    void placesAreFreeAsSoonAsTheEventsAreFetchedAlsoIfNoRequestIsAnswered(PortSpace portSpace) throws Exception {
        listener(portSpace);
        connectAll(portSpace);
        pass(FIRST_TRY);
        int fetched = fetch();
        assertThat(fetched).as("requests that waited to be fetched").isEqualTo(BACKLOG);
        while (fetched < CLIENTS) {
            pass(NEXT_TRY);
            int more = fetch();
            assertThat(more).isEqualTo(Math.min(BACKLOG, CLIENTS - fetched));
            fetched += more;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "UDP"})
    void aHandlerThatAnswersLaterGetsEveryRequestAtOnce(PortSpace portSpace) throws Exception {
        listener(portSpace);
        List<ConnectionId> requested = new ArrayList<>();
        server.channel.setHandler(event -> requested.add(event.id()));
        connectAll(portSpace);
        pass(FIRST_TRY);
        assertThat(requested).hasSize(CLIENTS);
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "UDP"})
    void answeringARequestReturnsNoSecondPlace(PortSpace portSpace) throws Exception {
        listener(portSpace);
        connectAll(portSpace);
        pass(FIRST_TRY);
        for (int i = 0; i < BACKLOG; i++) {
            try (CmEvent request = server.expect(CmEventType.CONNECT_REQUEST)) {
                request.id().reject(new byte[0]);
            }
        }
        pass(NEXT_TRY);
        assertThat(fetch()).isEqualTo(BACKLOG);
    }
}
