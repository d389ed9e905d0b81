// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests plain regions of a device that refuses to deregister them. */
class RegionStrategyTest {

    private static final int REGIONS = 5;

    @Test
    void closingDeregistersWhatItCanAndReportsEachRefusal() throws VerbsException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        try (SimProvider simulated =
                new SimProvider(runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "10.0.0.1")))) {
            FaultyProvider provider = new FaultyProvider(simulated);
            try (Device device = provider.open("sim0");
                    ProtectionDomain domain = device.allocatePd()) {
                NodeMemory memory =
                        new NodeMemory(device, domain, 1 << 20, Set.of(AccessFlag.LOCAL_WRITE), new Random(1));
                RegionStrategy strategy = new RegionStrategy(memory);
                for (int i = 0; i < REGIONS; i++) {
                    PieceList pieces = new PieceList();
                    assertThat(pieces.add(i * NodeMemory.PAGE, NodeMemory.PAGE)).isTrue();
                    assertThat(strategy.map(pieces)).isNotNull();
                }
                provider.fail(FaultyCall.MEMORY_REGION_CLOSE, 1, 2, Errno.EBUSY);

                assertThatExceptionOfType(VerbsException.class)
                        .isThrownBy(strategy::close)
                        .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
                        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
                assertThat(strategy.objects()).as("the refused regions").isEqualTo(2);

                strategy.close();
                assertThat(strategy.objects()).isZero();
                memory.close();
            }
        }
    }
}
