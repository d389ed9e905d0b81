// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that become runnable in a call of a library above the verbs. */
class CallTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int COLLECTIONS = 50;

    private final ThreadRuntime runtime = new ThreadRuntime(1, 7);
    private final CallerRuns calls = callsOf(runtime);
    private final List<Thread> runners = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void closeTheRuntime() {
        runtime.close();
    }

    private static CallerRuns callsOf(SimRuntime runtime) {
        return runtime.extension(CallerRuns.class).orElseThrow();
    }

    private void record() {
        runners.add(Thread.currentThread());
    }

    @Test
    void innerTasksRunInTheCallersThreadWhenTheOutermostCallEnds() throws InterruptedException {
        VerbsRuntime.SerialTask task = calls.newCallerRunsTask(this::record);
        ProgressTask progress = runtime.newProgressTask(() -> {
            record();
            return false;
        });
        calls.beginCall();
        calls.beginCall();
        task.schedule();
        task.schedule();
        progress.schedule();
        calls.endCall();
        assertThat(runners).isEmpty();
        calls.endCall();
        // All of them, or only the first if it exceeded the time limit.
        assertThat(runners).first().isEqualTo(Thread.currentThread());
        assertThat(runtime.await(() -> runners.size() == 2, PATIENCE)).isTrue();
    }

    @Test
    void tasksWithTheProgramsCodeRunOnTheRuntimesThreads() throws InterruptedException {
        VerbsRuntime.SerialTask task = runtime.newSerialTask(this::record);
        calls.beginCall();
        task.schedule();
        calls.endCall();
        assertThat(runtime.await(() -> !runners.isEmpty(), PATIENCE)).isTrue();
        assertThat(runners).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void tasksForTheRuntimesThreadsStartWhenTheOutermostCallEnds() throws InterruptedException {
        VerbsRuntime.SerialTask task = runtime.newSerialTask(this::record);
        calls.beginCall();
        calls.beginCall();
        task.schedule();
        calls.endCall();
        // The runtime has one worker, which would have run the other task first.
        CountDownLatch later = new CountDownLatch(1);
        Thread.ofPlatform()
                .start(() -> runtime.newSerialTask(later::countDown).schedule())
                .join();
        assertThat(later.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(runners).isEmpty();
        calls.endCall();
        assertThat(runtime.await(() -> runners.size() == 1, PATIENCE)).isTrue();
        assertThat(runners).doesNotContain(Thread.currentThread());
    }

    @Test
    void aProgressTaskThatIsNotInnerIsLeftToTheRuntimesThreads() throws InterruptedException {
        ProgressTask task = runtime.newProgressTask(
                () -> {
                    record();
                    return false;
                },
                false);
        calls.beginCall();
        task.schedule();
        calls.endCall();
        assertThat(runtime.await(() -> !runners.isEmpty(), PATIENCE)).isTrue();
        assertThat(runners).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void aCallEndsOnlyWhereOneHasBegun() {
        assertThatIllegalStateException().isThrownBy(calls::endCall).withMessageContaining("beginCall");
        try (VirtualRuntime virtual = new VirtualRuntime(7)) {
            assertThatIllegalStateException()
                    .isThrownBy(callsOf(virtual)::endCall)
                    .withMessageContaining("beginCall");
        }
    }

    @Test
    void outsideOfACallInnerTasksAreTasksAsAnyOther() throws InterruptedException {
        VerbsRuntime.SerialTask task = calls.newCallerRunsTask(this::record);
        calls.beginCall();
        calls.endCall();
        task.schedule();
        assertThat(runtime.await(() -> !runners.isEmpty(), PATIENCE)).isTrue();
        assertThat(runners).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 33, 1000})
    void oneCallRunsNoMoreThanSomeTasksAndTheRestIsNotLost(int chain) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(chain);
        VerbsRuntime.SerialTask first = link(left);
        calls.beginCall();
        first.schedule();
        calls.endCall();
        assertThat(runtime.await(() -> runners.size() == chain, PATIENCE)).isTrue();
        // Fewer if the time limit was exceeded.
        assertThat(Collections.frequency(runners, Thread.currentThread())).isBetween(1, Math.min(chain, 32));
    }

    /**
     * Makes a task that schedules a new one while more are wanted. A task that scheduled itself would continue at once.
     */
    private VerbsRuntime.SerialTask link(AtomicInteger left) {
        return calls.newCallerRunsTask(() -> {
            record();
            if (left.decrementAndGet() > 0) {
                link(left).schedule();
            }
        });
    }

    @Test
    void aCallMayNotWait() {
        assertRefusesToWaitInCalls(runtime);
        try (VirtualRuntime virtual = new VirtualRuntime(7)) {
            assertRefusesToWaitInCalls(virtual);
        }
    }

    private static void assertRefusesToWaitInCalls(SimRuntime runtime) {
        CallerRuns calls = callsOf(runtime);
        calls.beginCall();
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.await(() -> true, Duration.ZERO))
                .withMessageContaining("call");
        calls.endCall();
    }

    @Test
    void aTaskThatThrowsIsReportedAndTheOthersRun() throws InterruptedException {
        List<Throwable> reported = new ArrayList<>();
        Thread here = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = here.getUncaughtExceptionHandler();
        here.setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        try {
            IllegalStateException failure = new IllegalStateException("on purpose");
            VerbsRuntime.SerialTask bad = calls.newCallerRunsTask(() -> {
                throw failure;
            });
            VerbsRuntime.SerialTask good = calls.newCallerRunsTask(this::record);
            calls.beginCall();
            bad.schedule();
            good.schedule();
            calls.endCall();
            assertThat(reported).containsExactly(failure);
            assertThat(runtime.await(() -> !runners.isEmpty(), PATIENCE)).isTrue();
        } finally {
            here.setUncaughtExceptionHandler(before);
        }
    }

    @Test
    void aCallInATaskEndsInThatTask() throws InterruptedException {
        VerbsRuntime.SerialTask inner = calls.newCallerRunsTask(this::record);
        VerbsRuntime.SerialTask outer = runtime.newSerialTask(() -> {
            calls.beginCall();
            inner.schedule();
            calls.endCall();
            record();
        });
        outer.schedule();
        assertThat(runtime.await(() -> runners.size() == 2, PATIENCE)).isTrue();
        assertThat(runners.get(0)).isEqualTo(runners.get(1)).isNotEqualTo(Thread.currentThread());
    }

    @Test
    void underVirtualTimeThereIsNoDifference() throws InterruptedException {
        try (VirtualRuntime virtual = new VirtualRuntime(7)) {
            VerbsRuntime.SerialTask task = callsOf(virtual).newCallerRunsTask(this::record);
            callsOf(virtual).beginCall();
            task.schedule();
            callsOf(virtual).endCall();
            assertThat(runners).isEmpty();
            virtual.await(() -> !runners.isEmpty(), PATIENCE);
            assertThat(runners).hasSize(1);
        }
    }

    /** A program may start a thread for each request. */
    @Test
    void aThreadThatHasEndedDoesNotStayInMemory() throws InterruptedException {
        WeakReference<Object> gone = new WeakReference<>(usedByAThread());
        for (int i = 0; i < COLLECTIONS && gone.get() != null; i++) {
            System.gc();
            runtime.await(() -> gone.get() == null, Duration.ofMillis(100));
        }
        assertThat(gone.get()).isNull();
    }

    private Object usedByAThread() throws InterruptedException {
        Object used = new Object();
        Thread thread = Thread.ofPlatform().start(() -> {
            calls.beginCall();
            calls.newCallerRunsTask(() -> assertThat(used).isNotNull()).schedule();
            calls.endCall();
        });
        thread.join();
        return used;
    }
}
