// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.InterceptedFabric;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue pair is modified between two packets of one burst: the burst carries all bytes of its message, each once. */
class ModifyDuringBurstTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final long BYTES = 300_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void carriesEveryByteOnce(boolean checking) throws Exception {
        List<QpAttributes> changes = List.of(
                QpAttributes.builder()
                        .state(QpState.RTS)
                        .minRnrTimer(RnrTimer.ofCode(3))
                        .build(),
                QpAttributes.builder()
                        .state(QpState.RTS)
                        .access(Set.of(AccessFlag.REMOTE_WRITE))
                        .build(),
                QpAttributes.builder().currentState(QpState.RTS).build());
        List<Endpoint> modified = new ArrayList<>();
        int[] packets = {0};
        Runnable modify = () -> {
            try {
                for (Endpoint end : modified) {
                    end.qp().modify(changes.get(packets[0]++ % changes.size()));
                }
            } catch (VerbsException refused) {
                throw new IllegalStateException(refused);
            }
        };
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                Lab lab = new Lab(
                        runtime,
                        plain -> new InterceptedFabric(checking ? InProcessFabric.checking(runtime) : plain, packet -> {
                            if (packet.opcode().isRequest()) {
                                modify.run();
                            }
                            return true;
                        }))) {
            Node near = lab.node("sim0", "192.0.2.1");
            Node far = lab.node("sim1", "192.0.2.2");
            Endpoint left = near.endpoint();
            Endpoint right = far.endpoint();
            left.connect(right, Connection.USUAL);
            modified.addAll(List.of(left, right));
            near.fill(0, BYTES, 1);
            left.post(request -> request.rdmaWrite(
                            far.region().address(), far.region().rkey())
                    .signaled()
                    .sge(near.region(), 0, BYTES));
            List<String> sends = new ArrayList<>();
            assertThat(lab.until(() -> sends.addAll(left.sends()), PATIENCE)).isTrue();
            assertThat(sends).containsExactly("RDMA_WRITE 0");
            assertThat(packets[0]).isGreaterThan(10);
            assertThat(far.memory().asSlice(0, BYTES).mismatch(near.memory().asSlice(0, BYTES)))
                    .isEqualTo(-1);
        }
    }
}
