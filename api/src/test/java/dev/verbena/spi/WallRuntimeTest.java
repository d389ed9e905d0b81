// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsRuntime.Timer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WallRuntimeTest {
    private static final int BLOCKED = 10;
    private static final long PATIENCE_SECONDS = 20;

    private final WallRuntime runtime = new WallRuntime();

    private void begin(boolean timers, Runnable body) {
        if (timers) {
            runtime.schedule(Duration.ZERO, body);
        } else {
            runtime.newSerialTask(body).schedule();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tasksThatBlockKeepNoOtherWaiting(boolean timers) throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(BLOCKED);
        CountDownLatch ran = new CountDownLatch(2);
        try {
            for (int i = 0; i < BLOCKED; i++) {
                begin(timers, () -> {
                    blocked.countDown();
                    await(release);
                });
            }
            begin(true, ran::countDown);
            begin(false, ran::countDown);
            assertThat(blocked.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            release.countDown();
        }
    }

    @Test
    void aTimerThatIsCancelledIsForgotten() {
        TaskThreads threads = new TaskThreads();
        Timer timer = threads.schedule(Duration.ofDays(1).toNanos(), () -> {});
        assertThat(threads.pendingTimers()).isEqualTo(1);
        assertThat(timer.cancel()).isTrue();
        assertThat(timer.cancel()).isFalse();
        assertThat(threads.pendingTimers()).isZero();
    }
}
