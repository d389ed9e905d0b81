// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A simulation in which no event can happen any more reports the outstanding work of its queue pairs. */
class StallReportTest {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final VirtualRuntime runtime = new VirtualRuntime(1);

    @Test
    void aWaitThatCannotEndNamesTheQueuePairsAndTheirState() throws VerbsException {
        try (Lab lab = new Lab(runtime)) {
            ScriptedPeer peer = lab.scriptedPeer("192.0.2.9");
            Node node = lab.node("sim0", "192.0.2.1");
            Endpoint waiting = node.endpoint();
            node.endpoint();
            waiting.connect(peer, Connection.USUAL.timeout(AckTimeout.NONE, 7));
            waiting.receive(1, 0, 10);
            waiting.send(5, 0, 10);
            assertThatIllegalStateException()
                    .isThrownBy(() -> runtime.await(() -> false, FOR_EVER))
                    .withMessageStartingWith("no event can happen any more, and the wait has no timeout; at")
                    .withMessageEndingWith("\nsim0: QP " + waiting.qp().number()
                            + " (RC, RTS): PSNs: next to send 201, oldest unacknowledged 200,"
                            + " after the last sent 201; budgets: 7 of 7 retries left, unlimited RNR retries;"
                            + " window: 128 of 128 packets; READs and atomics in flight: 0 of 1; next expected 100;"
                            + " sends: 1 of 63 requests, the oldest is SEND 5, PENDING; receives: 1 of 63");
        }
    }

    @Test
    void aDeviceThatIsClosedOrWaitsForNothingIsNotNamed() throws VerbsException {
        try (Lab lab = new Lab(runtime)) {
            Node node = lab.node("sim0", "192.0.2.1");
            node.endpoint();
            Endpoint waiting = node.endpoint();
            waiting.qp().modify(Connection.USUAL.toInit());
            assertThat(runtime.describeStall()).doesNotContain("sim0");
            waiting.receive(1, 0, 10);
            assertThat(runtime.describeStall())
                    .contains("sim0: QP " + waiting.qp().number() + " (RC, INIT)");
            node.simDevice().close();
            assertThat(runtime.describeStall()).doesNotContain("sim0");
        }
    }

    @Test
    void aReportHasAnEnd() throws VerbsException {
        try (Lab lab = new Lab(runtime)) {
            Node node = lab.node("sim0", "192.0.2.1");
            for (int i = 0; i < 105; i++) {
                Endpoint endpoint = node.endpoint();
                endpoint.qp().modify(Connection.USUAL.toInit());
                endpoint.receive(1, 0, 10);
            }
            assertThat(runtime.describeStall().lines()).hasSize(102);
            assertThat(runtime.describeStall()).endsWith("\nsim0: and 5 more queue pairs");
        }
    }
}
