// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeakDetectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Logger LOGGER = Logger.getLogger(SimProvider.class.getName());

    private final List<LogRecord> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
    }

    private static SimProvider provider(LeakDetection level) throws VerbsException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        return new SimProvider(
                runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "10.0.0.1")), level);
    }

    @Test
    void aProviderThatCannotMakeAllOfItsDevicesLeavesTheAddressesOfTheOthersFree() throws VerbsException {
        VirtualRuntime time = new VirtualRuntime(1);
        InProcessFabric fabric = new InProcessFabric(time);
        SimDeviceSpec first = SimDeviceSpec.of("sim0", "192.0.2.1");
        for (SimDeviceSpec second :
                List.of(SimDeviceSpec.of("sim0", "192.0.2.2"), SimDeviceSpec.of("sim1", "192.0.2.1"))) {
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> new SimProvider(time, fabric, List.of(first, second)));
        }

        new SimProvider(time, fabric, List.of(first)).close();
    }

    @Test
    void anObjectThatPreventsAClosingReportsWhereItWasOpened() throws Exception {
        try (SimProvider provider = provider(LeakDetection.TRACED);
                Device device = provider.open("sim0");
                ProtectionDomain pd = device.allocatePd()) {
            assertThatThrownBy(device::close)
                    .isInstanceOf(VerbsException.class)
                    .satisfies(busy -> assertThat(busy.getSuppressed())
                            .singleElement()
                            .satisfies(opened -> assertThat(opened)
                                    .hasMessageContaining(pd.toString())
                                    .hasStackTraceContaining("anObjectThatPreventsAClosingReportsWhereItWasOpened")));
        }
    }

    @ParameterizedTest
    @EnumSource(LeakDetection.class)
    void anUnpluggedDeviceIsCollectableAfterItsObjectsAreClosed(LeakDetection level) throws Exception {
        try (SimProvider provider = provider(level)) {
            WeakReference<Device> gone = new WeakReference<>(provider.open("sim0"));
            provider.unplug("sim0");
            assertThat(provider.leaks()).hasSize(level == LeakDetection.OFF ? 0 : 1);
            requireNonNull(gone.get()).close();
            assertThat(provider.leaks()).isEmpty();
            provider.plug(SimDeviceSpec.of("sim1", "10.0.0.1"));
            provider.unplug("sim1");
            // Delivers the events of the unplugged devices.
            provider.runtime().await(() -> false, Duration.ofMillis(1));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (gone.get() != null) {
                assertThat(System.nanoTime()).as("reachable").isLessThan(deadline);
                System.gc();
            }
        }
    }

    private static void forget(SimProvider provider) throws VerbsException {
        Device device = provider.open("sim0");
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        domain.registerMemory(arena.allocate(8));
        domain.registerMemory(arena.allocate(8), AccessFlag.LOCAL_WRITE);
        domain.allocateMw(MemoryWindowType.TYPE_2);
        device.createCq(CqInitAttributes.builder().capacity(1).build());
    }

    private List<String> messages() {
        return logged.stream()
                .map(entry -> entry.getMessage().replace("{0}", Arrays.toString(entry.getParameters())))
                .toList();
    }

    @Test
    void countsByKindWhatIsOpenWhenTheProviderIsClosed() throws VerbsException {
        SimProvider provider = provider(LeakDetection.COUNTED);
        forget(provider);
        provider.close();
        provider.close();
        assertThat(messages()).hasSize(1).first().asString().contains("1 device, 1 PD, 2 MR, 1 MW, 1 arena, 1 CQ");
        assertThat(provider.leaks()).hasSize(7).allMatch(leak -> leak.opened().isEmpty());
    }

    @Test
    void saysWhereEachWasOpenedIfItIsTraced() throws VerbsException {
        SimProvider provider = provider(LeakDetection.TRACED);
        forget(provider);
        provider.close();
        assertThat(logged).hasSize(8);
        assertThat(provider.leaks())
                .allSatisfy(leak -> assertThat(leak.opened().orElseThrow().getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("forget")));
        assertThat(logged.get(1).getThrown()).isNotNull();
    }

    @Test
    void isSilentIfItIsOff() throws VerbsException {
        SimProvider provider = provider(LeakDetection.OFF);
        forget(provider);
        assertThat(provider.leaks()).isEmpty();
        provider.close();
        assertThat(logged).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void findsNothingInAProgramThatClosesAll(LeakDetection level) throws VerbsException {
        SimProvider provider = provider(level);
        Device device = provider.open("sim0");
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        MemoryRegion region = domain.registerMemory(arena.allocate(8));
        MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_1);
        CompletionQueue queue =
                device.createCq(CqInitAttributes.builder().capacity(1).build());
        queue.close();
        window.close();
        region.close();
        arena.close();
        domain.close();
        device.close();
        assertThat(provider.leaks()).isEmpty();
        provider.close();
        assertThat(logged).isEmpty();
    }

    @Test
    void aRefusedObjectDoesNotCountAsALeak() throws VerbsException {
        SimProvider provider = provider(LeakDetection.TRACED);
        Device device = provider.open("sim0");
        ProtectionDomain domain = device.allocatePd();
        VerbsArena arena = device.newArena();
        assertThatThrownBy(() -> domain.registerMemory(arena.allocate(8), AccessFlag.REMOTE_WRITE))
                .isInstanceOf(VerbsException.class);
        assertThat(Leak.summary(provider.leaks())).isEqualTo("1 device, 1 PD, 1 arena");
    }

    @Test
    void aStrictLabFailsATestThatLeaks() throws VerbsException {
        Lab forgetful = new Lab().strict();
        Node node = forgetful.node("sim0", "10.0.0.1");
        Node peer = forgetful.node("sim1", "10.0.0.2");
        Endpoint end = node.endpoint();
        Endpoint far = peer.endpoint();
        end.connect(far, Connection.USUAL);
        far.receive(1, 0, 8);
        end.send(1, 0, 8);
        forgetful.settle();
        assertThat(end.sends()).containsExactly("SEND 1");
        for (Endpoint endpoint : List.of(end, far)) {
            endpoint.qp().close();
            endpoint.qp().sendCq().close();
            endpoint.qp().receiveCq().close();
        }
        peer.close();
        assertThatThrownBy(forgetful::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("not closed: [device: device sim0, PD: PD of sim0, MR: MR 0x");
        node.close();
        assertThatCode(forgetful::close).doesNotThrowAnyException();
    }
}
