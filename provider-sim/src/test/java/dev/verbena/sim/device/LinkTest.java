// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PhysicalPortState;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links that go down and up, and devices that are unplugged. */
class LinkTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private VirtualRuntime runtime;
    private SimProvider provider;

    @BeforeEach
    void start() throws VerbsException {
        runtime = new VirtualRuntime(1);
        provider = new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")));
    }

    @AfterEach
    void stop() {
        provider.close();
        runtime.close();
    }

    @Test
    void eachOpenDeviceGetsOneEventForEachChange() throws Exception {
        List<AsyncEvent> events = new ArrayList<>();
        try (Device device = provider.open("sim0");
                Device other = provider.open("sim1")) {
            device.asyncEvents().setHandler(events::add);
            other.asyncEvents().setHandler(events::add);
            provider.link("sim0", false);
            provider.link("sim0", false);
            runtime.await(() -> false, SECOND);
            assertThat(device.queryPort(1).state()).isEqualTo(PortState.DOWN);
            assertThat(device.queryPort(1).physicalState()).isEqualTo(PhysicalPortState.DISABLED);
            provider.link("sim0", true);
            runtime.await(() -> false, SECOND);
            assertThat(device.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
            assertThat(events)
                    .extracting(AsyncEvent::type)
                    .containsExactly(AsyncEventType.PORT_ERR, AsyncEventType.PORT_ACTIVE);
            assertThat(events)
                    .allMatch(event -> event.port() == 1 && event.device().equals(device));
        }
        assertThatThrownBy(() -> provider.link("sim9", false)).hasMessageContaining("there is no device sim9");
    }

    @Test
    void aProgramThatReadsNoEventsKeepsTheNewestOfThem() throws VerbsException {
        try (Device device = provider.open("sim0")) {
            for (int i = 0; i < SimAsyncEvents.MOST_UNCLAIMED; i++) {
                provider.link("sim0", false);
                provider.link("sim0", true);
            }
            assertThatCode(() -> runtime.await(() -> false, SECOND)).doesNotThrowAnyException();
            List<AsyncEventType> read = Stream.generate(device.asyncEvents()::poll)
                    .takeWhile(Optional::isPresent)
                    .map(event -> event.orElseThrow().type())
                    .toList();
            assertThat(read).hasSize(SimAsyncEvents.MOST_UNCLAIMED);
            assertThat(read.getLast()).isEqualTo(AsyncEventType.PORT_ACTIVE);
        }
    }

    @Test
    void aHandlerThatIsLateGetsTheNewestEvents() throws Exception {
        List<AsyncEvent> events = new ArrayList<>();
        try (Device device = provider.open("sim0")) {
            device.asyncEvents().setHandler(events::add);
            for (int i = 0; i < SimAsyncEvents.MOST_UNCLAIMED; i++) {
                provider.link("sim0", false);
                provider.link("sim0", true);
            }
            runtime.await(() -> false, SECOND);
            assertThat(events).hasSize(SimAsyncEvents.MOST_UNCLAIMED);
            assertThat(events.getLast().type()).isEqualTo(AsyncEventType.PORT_ACTIVE);
        }
    }

    @Test
    void noAddressIsFoundWhileTheLinkIsDown() throws Exception {
        ConnectionManager manager = provider.extension(ConnectionManager.class).orElseThrow();
        try (EventChannel channel = manager.createEventChannel();
                ConnectionId id = manager.createId(channel, PortSpace.TCP, null)) {
            id.bind(new InetSocketAddress("10.0.0.1", 0));
            provider.link("sim0", false);
            assertThat(resolved(channel, id)).isEqualTo(CmEventType.ADDR_ERROR);
            provider.link("sim0", true);
            assertThat(resolved(channel, id)).isEqualTo(CmEventType.ADDR_RESOLVED);
        }
    }

    @Test
    void anUnpluggedDeviceFailsItsObjects() throws Exception {
        List<AsyncEvent> events = new ArrayList<>();
        try (Device device = provider.open("sim0");
                ProtectionDomain domain = device.allocatePd();
                CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(7));
                QueuePair queuePair = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(3, 3)))) {
            device.asyncEvents().setHandler(events::add);
            queuePair.modify(QpAttributes.builder()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .port(1)
                    .access(Set.of())
                    .build());
            provider.unplug("sim0");
            runtime.await(() -> false, SECOND);
            assertThat(events).extracting(AsyncEvent::type).containsExactly(AsyncEventType.DEVICE_FATAL);
            assertThat(queuePair.state()).isEqualTo(QpState.ERR);
            assertThat(provider.devices()).extracting("name").containsExactly("sim1");
            assertThat(provider.leaks()).as("still open").isNotEmpty();
            assertThatThrownBy(() -> provider.open("sim0")).hasMessageContaining("there is no device sim0");
        }
        assertThat(provider.leaks()).isEmpty();
    }

    @Test
    void aClosedProviderTakesNoDevice() throws Exception {
        provider.close();

        assertThatThrownBy(() -> provider.plug(SimDeviceSpec.of("spare", "10.0.0.9")))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the provider is closed");
    }

    @Test
    void anotherDeviceMayHaveTheAddressOfOneThatIsGone() throws Exception {
        SimDeviceSpec spare = SimDeviceSpec.of("spare", "10.0.0.1");
        assertThatThrownBy(() -> provider.plug(spare)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> provider.plug(SimDeviceSpec.of("sim1", "10.0.0.9")))
                .hasMessageContaining("two devices are called sim1");
        ConnectionManager manager = provider.extension(ConnectionManager.class).orElseThrow();
        provider.unplug("sim0");
        try (EventChannel channel = manager.createEventChannel();
                ConnectionId id = manager.createId(channel, PortSpace.TCP, null)) {
            assertThatThrownBy(() -> id.bind(new InetSocketAddress("10.0.0.1", 0)))
                    .hasMessageContaining("no device has address");
            provider.plug(spare);
            try (ConnectionId again = manager.createId(channel, PortSpace.TCP, null)) {
                again.bind(new InetSocketAddress("10.0.0.1", 0));
                assertThat(again.device().orElseThrow().name()).isEqualTo("spare");
                assertThat(resolved(channel, again)).isEqualTo(CmEventType.ADDR_RESOLVED);
            }
        }
    }

    private CmEventType resolved(EventChannel channel, ConnectionId id) throws Exception {
        id.resolveAddress(null, new InetSocketAddress("10.0.0.2", 7), SECOND);
        try (CmEvent event = channel.await(SECOND).orElseThrow()) {
            return event.type();
        }
    }

    @Test
    void settingTheLinkDownDrainsThePort() throws VerbsException {
        FabricPort wire = mock();
        when(wire.mtu()).thenReturn(PathMtu.MTU_4096.bytes());
        Fabric fabric = mock();
        when(fabric.attach(any(), any(), any())).thenReturn(wire);
        try (SimProvider alone = new SimProvider(runtime, fabric, List.of(SimDeviceSpec.of("sim2", "10.0.0.3")))) {
            verify(wire, never()).drain();
            alone.link("sim2", false);
            verify(wire).drain();
            alone.link("sim2", true);
            verify(wire).drain();
        }
    }
}
