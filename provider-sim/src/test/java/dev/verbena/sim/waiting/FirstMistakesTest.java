// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
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
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The README's first program with one step omitted or wrong: it ends within its deadline and reports the reason. */
class FirstMistakesTest {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private VerbsProvider provider;
    private End left;
    private End right;

    private record End(MemorySegment memory, MemoryRegion region, CompletionQueue cq, QueuePair qp) {}

    private static End open(VerbsProvider provider, String name) throws VerbsException {
        Device device = provider.open(name);
        ProtectionDomain pd = device.allocatePd();
        MemorySegment memory = device.newArena().allocate(4096);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(16));
        QueuePair qp = pd.createQp(QpInitAttributes.rc(cq, QpCapabilities.of(8, 8)));
        return new End(memory, pd.registerMemory(memory, AccessFlag.LOCAL_WRITE), cq, qp);
    }

    @BeforeEach
    void open() throws VerbsException {
        provider = VerbsProviders.named("sim");
        left = open(provider, "sim0");
        right = open(provider, "sim1");
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
    }

    private void connect() throws VerbsException {
        QpConnector here = QpConnector.of(left.qp());
        QpConnector there = QpConnector.of(right.qp());
        there.connect(here.local());
        here.connect(there.local());
    }

    private void receive() throws VerbsException {
        ReceiveRequests receives = right.qp().newReceiveRequests(1);
        receives.get(0).clear().sge(right.region(), 0, 4096);
        right.qp().postAll(receives, 1);
    }

    private void send(int lkey) throws VerbsException {
        SendRequests sends = left.qp().newSendRequests(1);
        sends.get(0).send().signaled().sge(left.memory().address(), 14, lkey);
        left.qp().postAll(sends, 1);
    }

    private static String outcome(End end) throws Exception {
        WorkCompletions done = end.cq().newCompletions(1);
        VerbsException late =
                catchThrowableOfType(VerbsException.class, () -> end.cq().await(done, DEADLINE));
        return late == null ? done.get(0).status() + " " + done.get(0).explain() : String.valueOf(late.getMessage());
    }

    @Test
    void withoutConnectThePostIsRefusedWithTheStateAndTheCure() {
        VerbsException refused = catchThrowableOfType(VerbsException.class, () -> {
            receive();
            send(left.region().lkey());
        });

        assertThat(refused).hasMessageContainingAll("RESET", "connect");
    }

    @Test
    void withoutAReceiveTheReceiversExplanationReportsIt() throws Exception {
        connect();
        send(left.region().lkey());

        assertThat(outcome(left)).contains("the peer had no receive", "rnr_retry is 7");
        assertThat(outcome(right)).contains("a message arrived before any receive was posted");
    }

    @Test
    void withAWrongKeyTheSendersErrorNamesTheKey() throws Exception {
        connect();
        receive();
        send(left.region().lkey() + 0x100);

        assertThat(outcome(left)).contains(WorkCompletionStatus.LOC_PROT_ERR.name(), "key");
    }
}
