// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.GidSelector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RandomLifecyclesTest {
    @Test
    void aThreadThatDoesNotReturnIsReportedWithItsStack() throws Exception {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                SimProvider provider = new SimProvider(
                        runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "192.0.2.1")));
                Device device = provider.open("sim0")) {
            CompletableFuture<Boolean> never = new CompletableFuture<>();

            RandomLifecycles run = RandomLifecycles.run(
                    device,
                    GidSelector.automatic().select(device, 1),
                    1,
                    7,
                    calls -> never.join(),
                    Duration.ofSeconds(1));

            assertThat(run.wrong())
                    .singleElement()
                    .asString()
                    .startsWith("lifecycles-0 does not return from ")
                    .contains("CompletableFuture.join", "RandomLifecyclesTest");
            never.complete(false);
        }
    }
}
