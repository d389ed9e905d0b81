// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events queued, awaited and handled. */
class SimEventChannelTest {
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().qpNumber(4711).build();

    private final VirtualRuntime runtime = new VirtualRuntime(5);
    private CmHost client;
    private CmHost server;

    @BeforeEach
    void makeHosts() throws VerbsException {
        MadWire wire = MadWire.delayed(runtime);
        client = new CmHost(runtime, wire, "10.0.0.1");
        server = new CmHost(runtime, wire, "10.0.0.2");
    }

    private void settle() throws InterruptedException {
        assertThat(runtime.await(() -> false, Duration.ofMillis(100))).isFalse();
    }

    @Test
    void waitingEndsWhenTheTimeIsOver() throws Exception {
        assertThat(client.channel.await(Duration.ofSeconds(3))).isEmpty();
        assertThat(Duration.ofNanos(runtime.nanoTime())).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void waitingEndsWhenTheChannelIsClosed() {
        runtime.schedule(Duration.ofSeconds(1), () -> {
            try {
                client.channel.close();
            } catch (VerbsException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> client.channel.await(Duration.ofSeconds(100)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        assertThat(Duration.ofNanos(runtime.nanoTime())).isEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(() -> client.channel.poll())
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        assertThatThrownBy(() -> client.manager.createId(client.channel, PortSpace.TCP, null))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }

    @Test
    void anInterruptedThreadThrowsAndAPendingEventIsNotLost() throws Exception {
        client.newId().resolveAddress(null, server.at(1), Duration.ZERO);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> client.channel.await(Duration.ofSeconds(3)));
        assertThat(Thread.interrupted()).as("still").isFalse();
        client.channel.await(Duration.ZERO).orElseThrow().close();
    }

    @Test
    void aChannelThatIdsUseIsBusy() throws Exception {
        ConnectionId id = client.newId();
        assertThatThrownBy(() -> client.channel.close())
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                .hasMessageContaining("1 id uses");
        id.close();
        client.channel.close();
    }

    @Test
    void aHandlerGetsWhatIsQueuedFirstAndThenEveryEventInOrder() throws Exception {
        ConnectionId id = client.newId();
        id.resolveAddress(null, server.at(1), Duration.ZERO);
        List<CmEventType> seen = new ArrayList<>();
        client.channel.setHandler(event -> seen.add(event.type()));
        id.resolveRoute(Duration.ZERO);
        assertThat(seen).as("nothing runs inside a call").isEmpty();
        id.connect(DEFAULTS);
        settle();
        assertThat(seen).containsExactly(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED, CmEventType.REJECTED);
        assertThat(client.channel.poll()).isEmpty();

        client.channel.setHandler(null);
        client.newId().resolveAddress(null, server.at(1), Duration.ZERO);
        settle();
        assertThat(seen).hasSize(3);
        client.expect(CmEventType.ADDR_RESOLVED).close();
    }

    @Test
    void removingTheHandlerSignalsTheEventsThatItDidNotGet() throws Exception {
        client.channel.setHandler(event -> {});
        client.newId().resolveAddress(null, server.at(1), Duration.ZERO);
        CompletableFuture<Void> ready = client.channel.ready().toCompletableFuture();

        client.channel.setHandler(null);

        settle();
        assertThat(ready).isCompleted();
        client.expect(CmEventType.ADDR_RESOLVED).close();
    }

    @Test
    void handlersCanDoAllTheWorkAndCloseTheirIds() throws Exception {
        List<String> log = new ArrayList<>();
        ConnectionId listener = server.listener();
        server.channel.setHandler(event -> handle(log, "server", server, event));
        client.channel.setHandler(event -> handle(log, "client", client, event));
        client.newId().resolveAddress(null, server.at(CmHost.PORT), Duration.ZERO);
        assertThat(runtime.await(() -> log.size() == 8, Duration.ofSeconds(10)))
                .as("%s", log)
                .isTrue();

        assertThat(log)
                .containsExactlyInAnyOrder(
                        "client ADDR_RESOLVED",
                        "client ROUTE_RESOLVED",
                        "server CONNECT_REQUEST",
                        "client ESTABLISHED",
                        "server ESTABLISHED",
                        "client closed",
                        "server DISCONNECTED",
                        "server closed");
        listener.close();
        client.channel.close();
        server.channel.close();
    }

    private static void handle(List<String> log, String who, CmHost host, CmEvent event) {
        log.add(who + " " + event.type());
        ConnectionId id = event.id();
        try {
            switch (event.type()) {
                case ADDR_RESOLVED -> id.resolveRoute(Duration.ZERO);
                case ROUTE_RESOLVED -> {
                    host.giveQueuePair(id);
                    id.connect(DEFAULTS);
                }
                case CONNECT_REQUEST -> {
                    host.giveQueuePair(id);
                    id.accept(DEFAULTS);
                }
                case ESTABLISHED -> {
                    if (who.equals("client")) {
                        close(id);
                        log.add(who + " closed");
                    }
                }
                case DISCONNECTED -> {
                    id.disconnect();
                    close(id);
                    log.add(who + " closed");
                }
                default -> throw new IllegalStateException(event.toString());
            }
        } catch (VerbsException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(ConnectionId id) throws VerbsException {
        id.queuePair().orElseThrow().close();
        id.close();
    }

    @Test
    void aHandlerThatThrowsLosesNoOtherEvent() throws Exception {
        List<CmEventType> seen = new ArrayList<>();
        ConnectionId id = client.newId();
        client.channel.setHandler(event -> {
            seen.add(event.type());
            if (event.type() == CmEventType.ADDR_RESOLVED) {
                throw new IllegalArgumentException("a bug in the handler");
            }
        });
        id.resolveAddress(null, server.at(1), Duration.ZERO);
        id.resolveRoute(Duration.ZERO);
        assertThatThrownBy(this::settle).hasMessage("a bug in the handler");
        settle();
        assertThat(seen).containsExactly(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED);
        id.close();
    }

    @Test
    void theSameSeedGivesTheSameConnectionsAtTheSameTimes() throws Exception {
        assertThat(storyOf(7)).isEqualTo(storyOf(7)).isNotEqualTo(storyOf(8));
    }

    private static List<String> storyOf(long seed) throws Exception {
        VirtualRuntime time = new VirtualRuntime(seed);
        MadWire wire = MadWire.delayed(time);
        CmHost active = new CmHost(time, wire, "10.0.0.1");
        CmHost passive = new CmHost(time, wire, "10.0.0.2");
        passive.listener();
        List<String> story = new ArrayList<>();
        ConnectionId id = active.ready(passive);
        id.connect(DEFAULTS);
        try (CmEvent request = passive.expect(CmEventType.CONNECT_REQUEST)) {
            passive.giveQueuePair(request.id());
            request.id().accept(DEFAULTS);
            story.add(time.nanoTime() + " " + request.id());
            story.add(passive.fake(request.id().queuePair().orElseThrow())
                    .modified
                    .toString());
        }
        active.expect(CmEventType.ESTABLISHED).close();
        story.add(time.nanoTime() + " " + id);
        return story;
    }

    @Test
    void channelsOfOneManagerAreIndependent() throws Exception {
        EventChannel other = client.manager.createEventChannel();
        ConnectionId id = client.manager.createId(other, PortSpace.TCP, null);
        id.resolveAddress(null, server.at(1), Duration.ZERO);
        assertThat(client.channel.poll()).isEmpty();
        try (CmEvent event = other.poll().orElseThrow()) {
            assertThat(event.id()).isEqualTo(id);
        }
    }
}
