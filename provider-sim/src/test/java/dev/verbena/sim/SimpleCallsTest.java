// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.WorkCompletions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls for programs to which any refusal is fatal, in a first program with one of its steps omitted. */
class SimpleCallsTest {
    private static final Duration TIME = Duration.ofSeconds(5);

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private SimProvider provider;
    private End left;
    private End right;

    /** One end of the program in README.md. */
    private record End(MemoryRegion region, CompletionQueue cq, QueuePair qp, WorkCompletions done) {
        static End open(VerbsProvider provider, String name) throws VerbsException {
            Device device = provider.open(name);
            ProtectionDomain pd = device.allocatePd();
            CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(16));
            QueuePair qp = pd.createQp(QpInitAttributes.rc(cq, QpCapabilities.of(2, 2)));
            MemoryRegion region = pd.registerMemory(device.newArena().allocate(64), AccessFlag.LOCAL_WRITE);
            return new End(region, cq, qp, cq.newCompletions(1));
        }

        void receive() throws VerbsException {
            ReceiveRequests receives = qp.newReceiveRequests(1);
            receives.get(0).sge(region, 0, 64);
            qp.postAll(receives, 1);
        }

        void send(int count) throws VerbsException {
            SendRequests sends = qp.newSendRequests(count);
            for (int i = 0; i < count; i++) {
                sends.get(i).id(i).send().signaled().sge(region, 0, 14);
            }
            qp.postAll(sends, count);
        }
    }

    @BeforeEach
    void open() throws VerbsException {
        provider = new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2")));
        left = End.open(provider, "sim0");
        right = End.open(provider, "sim1");
    }

    @AfterEach
    void close() {
        provider.close();
        runtime.close();
    }

    private void connect() throws VerbsException {
        QpConnector here = QpConnector.of(left.qp());
        QpConnector there = QpConnector.of(right.qp());
        there.connect(here.local());
        here.connect(there.local());
    }

    @Test
    void awaitReturnsWhatCame() throws Exception {
        connect();
        right.receive();
        left.send(1);
        assertThat(right.cq().await(right.done(), TIME)).isEqualTo(1);
        assertThat(right.done().get(0).isSuccess()).isTrue();
    }

    @Test
    void withoutAReceiveTheWaitEndsWithTheReason() throws Exception {
        connect();
        left.send(1);
        assertThatThrownBy(() -> right.cq().await(right.done(), TIME))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                .hasMessageContaining("no completion arrived within 5000 ms")
                .hasMessageContaining("QP " + right.qp().number() + " (RC, RTS)")
                .hasMessageContaining("before any receive was posted");
    }

    @Test
    void withoutAConnectionThePostFailsWithTheState() {
        assertThatThrownBy(() -> left.send(1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("QP " + left.qp().number() + " (RC, RESET) refused request 0: ");
        assertThatThrownBy(right::receive).hasMessageContaining("(RC, RESET) refused request 0: ");
    }

    @Test
    void aPostThatFailsHalfWayNamesTheFirstRequestThatWasNotTaken() throws Exception {
        connect();
        int depth = left.qp().capabilities().maxSendWr();
        assertThatThrownBy(() -> left.send(depth + 1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining("refused request " + depth + ": the queue is full");
    }

    @Test
    void theFailureNamesTheMissingCompletion() throws Exception {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> right.done().get(0))
                .withMessageContaining("the last poll returned none")
                .withMessageContaining("CompletionQueue.await");
        connect();
        right.receive();
        left.send(1);
        right.cq().await(right.done(), TIME);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> right.done().get(1))
                .withMessageContaining("the last poll returned 1");
    }

    @Test
    void theSimpleCallsMeetTheFaultsThatWereOrderedForThoseTheyAreMadeOf() throws Exception {
        FaultyProvider faulty = new FaultyProvider(provider);
        End end = End.open(faulty, "sim0");
        faulty.fail(FaultyCall.QUEUE_PAIR_POST_RECEIVE, 1, Errno.ENOMEM);
        QpConnector.of(end.qp()).initialize();
        assertThatThrownBy(end::receive)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        end.receive();
        assertThatThrownBy(() -> end.cq().await(end.done(), TIME)).hasMessageContaining("no completion arrived");
    }
}
