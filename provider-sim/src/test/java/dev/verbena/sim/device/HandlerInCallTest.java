// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.spi.callerruns.CallerRunsHandler;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.WorkCompletions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The thread that calls a completion handler if a call of the LND causes the completion. */
class HandlerInCallTest {
    private static final int TURNS = 10;
    private static final int ROUNDS = 200;
    private static final int ROUNDS_AT_MOST = 5_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Has the only worker run all scheduled tasks, and those that they schedule. */
    private static void letTheWorkerRest(ThreadRuntime runtime) throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        VerbsRuntime.SerialTask turn = runtime.newSerialTask(turns::incrementAndGet);
        for (int i = 1; i <= TURNS; i++) {
            int number = i;
            turn.schedule();
            assertThat(runtime.await(() -> turns.get() == number, PATIENCE)).isTrue();
        }
    }

    /** In such a call a program may hold locks that its handlers take. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyACallerRunsHandlerIsCalledWhereTheCallEnds(boolean callerRuns) throws Exception {
        AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
        CompletionHandler handler = queue -> caller.set(Thread.currentThread());
        try (ThreadRuntime runtime = new ThreadRuntime(1, 7);
                SimProvider provider = new SimProvider(
                        runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "10.0.0.1")));
                Device device = provider.open("sim0");
                ProtectionDomain domain = device.allocatePd();
                CompletionQueue queue = device.createCq(CqInitAttributes.builder()
                        .capacity(8)
                        .handler(callerRuns ? (CallerRunsHandler) handler::onCompletion : handler)
                        .build());
                QueuePair queuePair = domain.createQp(QpInitAttributes.builder()
                        .type(QpType.RC)
                        .sendCq(queue)
                        .receiveCq(queue)
                        .capabilities(QpCapabilities.of(4, 4))
                        .build())) {
            queuePair.modify(QpAttributes.toInit(1, 0));
            queuePair.modify(QpAttributes.error());
            CallerRuns calls = CallerRuns.of(device);
            ReceiveRequests requests = queuePair.newReceiveRequests(1);
            WorkCompletions completions = queue.newCompletions(1);
            int here = 0;
            // In the first rounds, before the code is compiled, a call may exceed its time before it runs the handler.
            for (int round = 0; round < (callerRuns ? ROUNDS_AT_MOST : ROUNDS) && !(callerRuns && here > 0); round++) {
                letTheWorkerRest(runtime);
                caller.set(null);
                queue.requestNotification(Notification.NEXT_COMPLETION);
                calls.beginCall();
                assertThat(queuePair.postReceive(requests, 0, 1)).isEqualTo(1);
                calls.endCall();
                assertThat(runtime.await(() -> caller.get() != null, PATIENCE)).isTrue();
                here += Thread.currentThread().equals(caller.get()) ? 1 : 0;
                assertThat(queue.poll(completions)).isEqualTo(1);
            }
            assertThat(here).isEqualTo(callerRuns ? 1 : 0);
        }
    }
}
