package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Gid;
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

    /** Does something before each request packet that passes, in the thread of the requester. */
    private record Interrupting(Fabric inner, Runnable each) implements Fabric {
        @Override
        public FabricPort attach(String name, List<Gid> gids, PacketReceiver receiver) throws VerbsException {
            return new Port(inner.attach(name, gids, receiver), each);
        }

        @Override
        public boolean reaches(Gid gid) {
            return inner.reaches(gid);
        }

        @Override
        public boolean looksAtBytes() {
            return inner.looksAtBytes();
        }
    }

    private record Port(FabricPort inner, Runnable each) implements FabricPort {
        @Override
        public SimPacket newPacket() {
            return inner.newPacket();
        }

        @Override
        public void send(SimPacket packet) {
            if (packet.opcode().isRequest()) {
                each.run();
            }
            inner.send(packet);
        }

        @Override
        public boolean carriesReferences() {
            return inner.carriesReferences();
        }

        @Override
        public boolean carriesTrains() {
            return inner.carriesTrains();
        }

        @Override
        public boolean carriesRuns() {
            return inner.carriesRuns();
        }

        @Override
        public int mtu() {
            return inner.mtu();
        }

        @Override
        public void join(Gid group) throws VerbsException {
            inner.join(group);
        }

        @Override
        public void leave(Gid group) {
            inner.leave(group);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

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
                        plain -> new Interrupting(checking ? InProcessFabric.checking(runtime) : plain, modify))) {
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
