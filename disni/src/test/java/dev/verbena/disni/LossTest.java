// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.disni.bridge.VerbenaDisni;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import program.darpc.EchoClient;
import program.darpc.EchoServer;

/** DaRPC over a provider that a test installs, whose links lose packets. */
@Timeout(120)
class LossTest {
    private static final long SEED = 11;

    @Test
    void remoteCallsSurviveLossWhenRetriesAreSet() throws Exception {
        System.setProperty("verbena.disni.retryCount", "7");
        System.setProperty("verbena.disni.rnrRetryCount", "7");
        ThreadRuntime runtime = new ThreadRuntime(SEED);
        FaultPlan plan = FaultPlan.builder().drop(Probability.parse("5%")).build();
        SimProvider provider = new SimProvider(
                runtime,
                new FaultyFabric(new InProcessFabric(runtime), plan, runtime),
                List.of(SimDeviceSpec.of("server", "192.0.2.1"), SimDeviceSpec.of("client", "192.0.2.2")));
        VerbenaDisni.install(provider);
        EchoServer.start("192.0.2.1", false, 0, 1);
        EchoClient client = new EchoClient(0);
        client.connect("192.0.2.1", 2);

        assertThat(client.call(EchoClient.Mode.BATCH_STREAM_TAKE, 1_600)).isZero();

        client.close();
        try (SimProvider other = new SimProvider(
                runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("other", "192.0.2.3")))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> VerbenaDisni.install(other))
                    .withMessageContaining("RdmaEndpointProvider");
        }
    }
}
