// SPDX-License-Identifier: Apache-2.0
package dev.verbena.guide;

import static dev.verbena.junit.VerbsAssertions.assertThat;

import dev.verbena.junit.VerbsNetwork;
import dev.verbena.junit.VerbsTest;
import dev.verbena.verbs.*;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** The program of docs/guide/first-steps.md, step by step. */
class FirstStepsTest {
    @VerbsTest
    void aMessageFromOneQueuePairToAnother(VerbsNetwork network) throws Exception {
        Device device = network.node("client").device();
        Device other = network.node("server").device();
        try (VerbsScope scope = new VerbsScope()) {
            ProtectionDomain pd = scope.opened(device.allocatePd());
            MemorySegment memory = scope.opened(device.newArena()).allocate(4096);
            MemoryRegion region = scope.opened(pd.registerMemory(memory, AccessFlag.LOCAL_WRITE));

            CompletionQueue cq = scope.opened(device.createCq(CqInitAttributes.ofCapacity(16)));
            QueuePair qp = scope.opened(pd.createQp(QpInitAttributes.rc(cq, QpCapabilities.of(8, 8))));

            ProtectionDomain otherPd = scope.opened(other.allocatePd());
            MemorySegment otherMemory = scope.opened(other.newArena()).allocate(4096);
            MemoryRegion otherRegion = scope.opened(otherPd.registerMemory(otherMemory, AccessFlag.LOCAL_WRITE));
            CompletionQueue otherCq = scope.opened(other.createCq(CqInitAttributes.ofCapacity(16)));
            QueuePair otherQp = scope.opened(otherPd.createQp(QpInitAttributes.rc(otherCq, QpCapabilities.of(8, 8))));

            QpConnector here = QpConnector.of(qp);
            QpConnector there = QpConnector.of(otherQp);
            there.connect(here.local());
            here.connect(there.local());

            ReceiveRequests receives = otherQp.newReceiveRequests(1);
            receives.get(0).clear().id(7).sge(otherRegion, 0, 4096);
            otherQp.postAll(receives, 1);

            memory.setString(0, "hello");
            SendRequests sends = qp.newSendRequests(1);
            sends.get(0).send().signaled().sge(region, 0, 6);
            qp.postAll(sends, 1);

            WorkCompletions done = cq.newCompletions(1);
            cq.await(done, Duration.ofSeconds(5));
            if (!done.get(0).isSuccess())
                throw new IllegalStateException(done.get(0).explain().toString());

            WorkCompletions arrived = otherCq.newCompletions(1);
            otherCq.await(arrived, Duration.ofSeconds(5));
            assertThat(arrived.get(0)).isSuccess().hasId(7).hasByteLength(6);
        }
    }
}
