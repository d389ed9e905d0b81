// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.fault.provider.CompletionFate;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.Suspect;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Every status that a program may get from some adapter, including those that this device never reports. A faulty
 * provider puts it into a completion, and the completion explains itself.
 */
class RewrittenStatusesTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    @ParameterizedTest
    @EnumSource(value = WorkCompletionStatus.class, mode = Mode.EXCLUDE, names = "SUCCESS")
    void aCompletionWithThisStatusNamesItsUsualSuspects(WorkCompletionStatus status) throws Exception {
        VirtualRuntime runtime = new VirtualRuntime(1);
        FaultyProvider provider = new FaultyProvider(
                new SimProvider(runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "192.0.2.1"))));
        provider.onCompletion(completion -> new CompletionFate.Rewrite(status, 129));
        try (Device device = provider.open("sim0");
                ProtectionDomain domain = device.allocatePd();
                VerbsArena arena = device.newArena();
                MemoryRegion region = domain.registerMemory(arena.allocate(64), AccessFlag.LOCAL_WRITE);
                CompletionQueue queue = device.createCq(CqInitAttributes.ofCapacity(7));
                QueuePair queuePair = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(3, 3)))) {
            queuePair.modify(QpAttributes.toInit(1, 0));
            ReceiveRequests receives = queuePair.newReceiveRequests(1);
            receives.get(0).clear().id(5).sge(region, 0, 8);
            assertThat(queuePair.postReceive(receives, 1)).isEqualTo(1);
            queuePair.modify(QpAttributes.error());
            WorkCompletions batch = queue.newCompletions(1);
            assertThat(runtime.await(() -> queue.poll(batch) == 1, MOMENT)).isTrue();
            WorkCompletion completion = batch.get(0);
            assertThat(completion.status()).isEqualTo(status);
            Explanation explanation = completion.explain();
            assertThat(explanation.title())
                    .startsWith(status + " (" + status.code() + ", " + status.verbsName())
                    .endsWith("of request 5 on QP " + queuePair.number() + ", vendor error 129");
            assertThat(explanation.suspects()).isNotEmpty().isEqualTo(status.suspects());
            assertThat(explanation.toString()).contains("usual suspects:");
            for (Suspect suspect : explanation.suspects()) {
                assertThat(explanation.toString()).contains(suspect.toString());
            }
            // No event of the queue pair could be the cause.
            assertThat(completion.rootCause()).isEmpty();
        } finally {
            runtime.close();
        }
    }
}
