// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of complete devices: real queue pairs, real packets on QP1, both kinds of time. */
class SimDevicesConnectTest {
    private static final int PORT = 987;
    private static final int CONNECTIONS = 60;
    private static final int DIALLERS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().build();

    private static SimRuntime runtime(boolean virtual) {
        return virtual ? new VirtualRuntime(3) : new ThreadRuntime(3);
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    /** The objects that both ends of a test need from a provider. */
    private static final class Site {
        final EventChannel channel;
        private final Map<ConnectionId, ProtectionDomain> domains = new ConcurrentHashMap<>();
        private final Map<ConnectionId, CompletionQueue> completions = new ConcurrentHashMap<>();

        Site(ConnectionManager manager) throws VerbsException {
            this.channel = manager.createEventChannel();
        }

        void giveQueuePair(ConnectionId id) throws VerbsException {
            ProtectionDomain domain = id.device().orElseThrow().allocatePd();
            CompletionQueue queue = id.device()
                    .orElseThrow()
                    .createCq(CqInitAttributes.builder().capacity(4).build());
            domains.put(id, domain);
            completions.put(id, queue);
            id.createQp(
                    domain,
                    QpInitAttributes.builder()
                            .type(QpType.RC)
                            .sendCq(queue)
                            .receiveCq(queue)
                            .capabilities(new QpCapabilities(2, 2, 1, 1, 0))
                            .build());
        }

        void close(ConnectionId id) throws VerbsException {
            QueuePair queuePair = id.queuePair().orElseThrow();
            queuePair.close();
            completions.remove(id).close();
            domains.remove(id).close();
            id.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoDevicesOfOneProviderConnectAndPart(boolean virtual) throws Exception {
        try (SimRuntime runtime = runtime(virtual);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")))) {
            ConnectionManager manager =
                    provider.extension(ConnectionManager.class).orElseThrow();
            Site active = new Site(manager);
            Site passive = new Site(manager);
            ConnectionId listener = manager.createId(passive.channel, PortSpace.TCP, null);
            listener.bind(address("10.0.0.2", PORT));
            listener.listen(0);
            ConnectionId id = manager.createId(active.channel, PortSpace.TCP, null);
            id.resolveAddress(null, address("10.0.0.2", PORT), PATIENCE);
            expect(active, CmEventType.ADDR_RESOLVED).close();
            id.resolveRoute(PATIENCE);
            expect(active, CmEventType.ROUTE_RESOLVED).close();
            active.giveQueuePair(id);
            assertThat(id.queuePair().orElseThrow().state()).isEqualTo(QpState.INIT);
            id.connect(DEFAULTS);
            ConnectionId accepted;
            try (CmEvent request = expect(passive, CmEventType.CONNECT_REQUEST)) {
                accepted = request.id();
            }
            passive.giveQueuePair(accepted);
            accepted.accept(DEFAULTS);
            expect(active, CmEventType.ESTABLISHED).close();
            expect(passive, CmEventType.ESTABLISHED).close();
            assertThat(id.queuePair().orElseThrow().query().destinationQpn())
                    .isEqualTo(accepted.queuePair().orElseThrow().number());
            assertThat(id.queuePair().orElseThrow().state()).isEqualTo(QpState.RTS);
            assertThat(accepted.queuePair().orElseThrow().state()).isEqualTo(QpState.RTS);

            id.disconnect();
            expect(passive, CmEventType.DISCONNECTED).close();
            accepted.disconnect();
            expect(active, CmEventType.DISCONNECTED).close();
            assertThat(id.queuePair().orElseThrow().state()).isEqualTo(QpState.ERR);
            expect(active, CmEventType.TIMEWAIT_EXIT).close();
            expect(passive, CmEventType.TIMEWAIT_EXIT).close();
            active.close(id);
            passive.close(accepted);
            listener.close();
            active.channel.close();
            passive.channel.close();
        }
    }

    private static CmEvent expect(Site site, CmEventType type) throws VerbsException, InterruptedException {
        CmEvent event = site.channel.await(PATIENCE).orElseThrow(() -> new AssertionError("no " + type));
        assertThat(event.type()).as("%s", event).isEqualTo(type);
        return event;
    }

    /** A user that makes all calls in handlers, as a kernel driver does. */
    private static final class Driver implements CmEventHandler {
        private final Site site;
        private final boolean active;
        private final Queue<Throwable> failures;
        private final AtomicInteger running = new AtomicInteger();
        final AtomicInteger established = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();

        Driver(Site site, boolean active, Queue<Throwable> failures) {
            this.site = site;
            this.active = active;
            this.failures = failures;
        }

        @Override
        public void onCmEvent(CmEvent event) {
            if (running.incrementAndGet() != 1) {
                failures.add(new AssertionError("calls of one channel overlap"));
            }
            try {
                react(event);
            } catch (VerbsException | RuntimeException e) {
                failures.add(e);
            } finally {
                running.decrementAndGet();
            }
        }

        private void react(CmEvent event) throws VerbsException {
            ConnectionId id = event.id();
            switch (event.type()) {
                case ADDR_RESOLVED -> id.resolveRoute(PATIENCE);
                case ROUTE_RESOLVED -> {
                    site.giveQueuePair(id);
                    id.connect(DEFAULTS);
                }
                case CONNECT_REQUEST -> {
                    site.giveQueuePair(id);
                    id.accept(DEFAULTS);
                }
                case ESTABLISHED -> {
                    established.incrementAndGet();
                    // The active side always disconnects; sometimes the passive side does at the same time.
                    if (active || event.parameters().orElseThrow().qpNumber() % 2 == 0) {
                        id.disconnect();
                    }
                }
                case DISCONNECTED -> {
                    id.disconnect();
                    site.close(id);
                    closed.incrementAndGet();
                }
                default -> failures.add(new AssertionError(event.toString()));
            }
        }
    }

    @Test
    void manyThreadsAndHandlersMakeAndEndConnectionsAtOnce() throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (SimRuntime runtime = new ThreadRuntime(4, 3);
                SimProvider provider = new SimProvider(
                        runtime,
                        new InProcessFabric(runtime),
                        List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")))) {
            ConnectionManager manager =
                    provider.extension(ConnectionManager.class).orElseThrow();
            Site active = new Site(manager);
            Site passive = new Site(manager);
            Driver dialling = new Driver(active, true, failures);
            Driver answering = new Driver(passive, false, failures);
            active.channel.setHandler(dialling);
            passive.channel.setHandler(answering);
            ConnectionId listener = manager.createId(passive.channel, PortSpace.TCP, null);
            listener.bind(address("0.0.0.0", PORT));
            listener.listen(0);
            Thread[] diallers = new Thread[DIALLERS];
            for (int i = 0; i < DIALLERS; i++) {
                diallers[i] = Thread.ofPlatform().start(() -> dial(manager, active, failures));
            }
            for (Thread dialler : diallers) {
                dialler.join();
            }
            boolean over = runtime.await(
                    () -> !failures.isEmpty()
                            || (dialling.closed.get() == CONNECTIONS && answering.closed.get() == CONNECTIONS),
                    PATIENCE);
            assertThat(failures).isEmpty();
            assertThat(over)
                    .as("closed %s and %s of %s", dialling.closed, answering.closed, CONNECTIONS)
                    .isTrue();
            assertThat(dialling.established).hasValue(CONNECTIONS);
            assertThat(answering.established).hasValue(CONNECTIONS);
            listener.close();
            active.channel.close();
            passive.channel.close();
        }
    }

    private static void dial(ConnectionManager manager, Site site, Queue<Throwable> failures) {
        try {
            for (int i = 0; i < CONNECTIONS / DIALLERS; i++) {
                ConnectionId id = manager.createId(site.channel, PortSpace.TCP, null);
                id.resolveAddress(null, address("10.0.0.2", PORT), PATIENCE);
            }
        } catch (VerbsException | RuntimeException e) {
            failures.add(e);
        }
    }
}
