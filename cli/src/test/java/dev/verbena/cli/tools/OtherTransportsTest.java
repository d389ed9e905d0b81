// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tools on devices of transports that lack some abilities of InfiniBand, such as iWARP. */
class OtherTransportsTest {
    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final SimProvider sim;

    OtherTransportsTest() throws VerbsException {
        sim = new SimProvider(runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("card0", "10.0.0.1")));
    }

    @AfterEach
    void end() throws VerbsException {
        sim.close();
        runtime.close();
    }

    private String report(NodeType node) throws Exception {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        try (Device device = sim.open("card0")) {
            DeviceReport.print(device, node, OptionalInt.empty(), true, out);
        }
        out.flush();
        return text.toString();
    }

    @Test
    void anIwarpDeviceIsReportedWithItsTransportAndWithoutPhysicalState() throws Exception {
        assertThat(report(NodeType.RNIC))
                .contains("transport:\t\t\tiWARP (1)", "max_vl_num:\t\tinvalid value (0)")
                .doesNotContain("phys_state");
        assertThat(report(NodeType.CA))
                .contains("transport:\t\t\tInfiniBand (0)", "max_vl_num:\t\t1 (1)", "phys_state");
        assertThat(report(NodeType.UNSPECIFIED)).contains("transport:\t\t\tunspecified (4)");
    }

    @Test
    void theFlagsAreThoseThatTheDeviceReports() throws Exception {
        StringWriter text = new StringWriter();
        try (Device real = sim.open("card0")) {
            Device device = mock(Device.class, delegatesTo(real));
            doReturn(real.attributes().toBuilder()
                            .capabilityFlags(1L << 40 | 1 << 21 | 1 << 2)
                            .build())
                    .when(device)
                    .attributes();
            DeviceReport.print(device, NodeType.RNIC, OptionalInt.empty(), true, new PrintWriter(text, true));
        }
        assertThat(text.toString())
                .contains("device_cap_flags:\t\t0x00200004", "\tBAD_QKEY_CNTR", "\tMEM_MGT_EXTENSIONS")
                .contains("device_cap_flags_ex:\t\t0x10000200004")
                .doesNotContain("MEM_WINDOW");
    }

    private static PingPongSettings settings(QpType type, int size) {
        return new PingPongSettings(
                type,
                Optional.empty(),
                0,
                InetAddress.getLoopbackAddress(),
                1,
                size,
                PathMtu.MTU_1024,
                1,
                false,
                1,
                1,
                0,
                AckTimeout.ofCode(14),
                false,
                OptionalInt.empty(),
                false,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ZERO);
    }

    /** The size is also larger than the path MTU, which must not be the complaint. */
    @ParameterizedTest
    @EnumSource(names = {"UD", "MANUAL_CONNECT"})
    void aPingPongNamesTheCapabilityThatTheDeviceLacks(Capability lacking) throws Exception {
        FaultyProvider faulty = new FaultyProvider(sim);
        faulty.hide(lacking);
        try (Device device = faulty.open("card0")) {
            PingPong pingPong = new PingPong(
                    device, settings(QpType.UD, 1 << 20), new Random(7), new PrintWriter(new StringWriter()));

            assertThatThrownBy(pingPong::run)
                    .isInstanceOf(CapabilityException.class)
                    .hasMessageContaining(lacking.name());
        }
    }
}
