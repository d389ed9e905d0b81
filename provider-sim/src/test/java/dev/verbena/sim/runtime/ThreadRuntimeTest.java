// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadRuntimeTest {
    /** Long enough for the slowest machine; only a failing test waits this long. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ThreadRuntime runtime = new ThreadRuntime(1, 7);

    @AfterEach
    void closeTheRuntime() {
        runtime.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aPassIsNeverConcurrentWithItselfAndNoWakeUpIsLost(int workers) throws InterruptedException {
        int threads = 3;
        int rounds = 20_000;
        AtomicLong posted = new AtomicLong();
        AtomicLong handled = new AtomicLong();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicBoolean inPass = new AtomicBoolean();
        try (ThreadRuntime many = new ThreadRuntime(workers, 7)) {
            ProgressTask task = many.newProgressTask(() -> {
                if (!inPass.compareAndSet(false, true)) {
                    overlaps.incrementAndGet();
                }
                long seen = posted.get();
                boolean progress = handled.getAndSet(seen) != seen;
                inPass.set(false);
                return progress;
            });
            List<Thread> posters = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                RandomGenerator random = many.newRandom("poster " + i);
                posters.add(Thread.ofPlatform().start(() -> {
                    for (int round = 0; round < rounds; round++) {
                        posted.incrementAndGet();
                        if (random.nextBoolean()) {
                            task.run();
                        } else {
                            task.schedule();
                        }
                    }
                }));
            }
            boolean all = many.await(() -> handled.get() == (long) threads * rounds, PATIENCE);
            for (Thread poster : posters) {
                poster.join();
            }
            assertThat(overlaps).hasValue(0);
            assertThat(all).as("handled %s of %s", handled, posted).isTrue();
        }
    }

    /** Twice as many handlers block as there are threads, so that only replacements can run the tasks of the timers. */
    @Test
    void timersExpireAndTasksRunWhenEachThreadIsBlockedInAHandler() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(2 * ThreadRuntime.DEFAULT_WORKERS);
        try (ThreadRuntime runtime = new ThreadRuntime(7)) {
            for (int i = 0; i < 2 * ThreadRuntime.DEFAULT_WORKERS; i++) {
                runtime.newSerialTask(() -> {
                            blocked.countDown();
                            try {
                                released.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                        .schedule();
            }
            assertThat(runtime.await(() -> blocked.getCount() == 0, PATIENCE)).isTrue();
            AtomicInteger ran = new AtomicInteger();
            runtime.newAlarm(ran::incrementAndGet).set(runtime.nanoTime() + 1);
            runtime.schedule(Duration.ofNanos(1), ran::incrementAndGet);
            assertThat(runtime.await(() -> ran.get() == 2, PATIENCE)).isTrue();
            released.countDown();
        }
    }

    @Test
    void disablingWaitsForTheEndOfARunAndNothingRunsUntilEnabled() throws InterruptedException {
        try (ThreadRuntime many = new ThreadRuntime(2, 7)) {
            AtomicLong passes = new AtomicLong();
            AtomicBoolean inPass = new AtomicBoolean();
            AtomicBoolean stop = new AtomicBoolean();
            ProgressTask task = many.newProgressTask(() -> {
                inPass.set(true);
                for (int i = 0; i < 300; i++) {
                    Thread.onSpinWait();
                }
                inPass.set(false);
                return passes.incrementAndGet() % 3 != 0;
            });
            Thread poster = Thread.ofPlatform().start(() -> {
                while (!stop.get()) {
                    task.schedule();
                    task.run();
                }
            });
            for (int i = 0; i < 2000; i++) {
                task.disable();
                assertThat(inPass).isFalse();
                long before = passes.get();
                task.enable();
                task.schedule();
                assertThat(many.await(() -> passes.get() > before && inPass.get(), PATIENCE))
                        .isTrue();
            }
            stop.set(true);
            poster.join();
        }
    }

    @Test
    void aPlaceLeftInTheQueueDoesNotStartASecondRun() throws InterruptedException {
        CountDownLatch workerMayGoOn = new CountDownLatch(1);
        CountDownLatch queuePassed = new CountDownLatch(1);
        AtomicInteger inPass = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicReference<ProgressTask> self = new AtomicReference<>();
        AtomicInteger passes = new AtomicInteger();
        ProgressTask task = runtime.newProgressTask(() -> {
            if (inPass.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            if (passes.incrementAndGet() == 1) {
                self.get().schedule();
                workerMayGoOn.countDown();
                awaitPatiently(queuePassed);
            }
            inPass.decrementAndGet();
            return false;
        });
        self.set(task);
        runtime.newSerialTask(() -> awaitPatiently(workerMayGoOn)).schedule();
        task.schedule();
        task.disable();
        task.enable();
        runtime.newSerialTask(queuePassed::countDown).schedule();
        task.run();
        assertThat(overlaps).hasValue(0);
        assertThat(passes).as("one run, and one for being scheduled in it").hasValue(2);
        assertThat(task).hasToString("IDLE");
    }

    private static void awaitPatiently(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTaskCanDisableItself() throws InterruptedException {
        AtomicReference<ProgressTask> self = new AtomicReference<>();
        AtomicInteger passes = new AtomicInteger();
        ProgressTask task = runtime.newProgressTask(() -> {
            passes.incrementAndGet();
            self.get().disable();
            return true;
        });
        self.set(task);
        task.schedule();
        assertThat(runtime.await(() -> "DRAINED".equals(task.toString()), PATIENCE))
                .isTrue();
        assertThat(passes).hasValue(1);
    }

    @Test
    void anExceptionOfATaskGoesToTheHandlerAndTheWorkerContinues() throws InterruptedException {
        AtomicReference<Throwable> reported = new AtomicReference<>();
        runtime.newSerialTask(() -> {
                    Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
                        reported.set(thrown);
                        throw new IllegalStateException("the handler is broken, too");
                    });
                    throw new IllegalArgumentException("broken");
                })
                .schedule();
        assertThat(runtime.await(() -> reported.get() != null, PATIENCE)).isTrue();
        assertThat(reported.get()).hasMessage("broken");
        AtomicBoolean ran = new AtomicBoolean();
        runtime.newSerialTask(() -> ran.set(true)).schedule();
        assertThat(runtime.await(ran::get, PATIENCE)).isTrue();
    }

    @Test
    void runMakesProgressInTheCallingThread() {
        AtomicReference<Thread> ranIn = new AtomicReference<>();
        runtime.newProgressTask(() -> {
                    ranIn.set(Thread.currentThread());
                    return false;
                })
                .run();
        assertThat(ranIn).hasValue(Thread.currentThread());
    }

    @Test
    void alarmsAndTimersGoOff() throws InterruptedException {
        List<String> log = new ArrayList<>();
        AtomicInteger fired = new AtomicInteger();
        long now = runtime.nanoTime();
        Alarm alarm = runtime.newAlarm(() -> {
            log.add("alarm at " + (runtime.nanoTime() - now >= 3_000_000));
            fired.incrementAndGet();
        });
        alarm.set(now + 60_000_000_000L);
        alarm.set(now + 3_000_000);
        assertThat(runtime.await(() -> fired.get() == 1, PATIENCE)).isTrue();
        runtime.schedule(Duration.ofMillis(1), () -> {
            log.add("timer");
            fired.incrementAndGet();
        });
        assertThat(runtime.await(() -> fired.get() == 2, PATIENCE)).isTrue();
        assertThat(log).containsExactly("alarm at true", "timer");
    }

    @Test
    void aTimerCanBeCancelledButNotSetForThePast() {
        AtomicBoolean ran = new AtomicBoolean();
        var timer = runtime.schedule(Duration.ofHours(1), () -> ran.set(true));
        assertThat(timer.cancel()).isTrue();
        assertThat(timer.cancel()).isTrue();
        assertThat(ran).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runtime.schedule(Duration.ofNanos(-1), () -> {}))
                .withMessageContaining("negative");
    }

    @Test
    void awaitWithinATaskIsRefused() throws InterruptedException {
        AtomicReference<Exception> refusal = new AtomicReference<>();
        runtime.newSerialTask(() -> {
                    try {
                        runtime.await(() -> true, Duration.ZERO);
                    } catch (InterruptedException | IllegalStateException e) {
                        refusal.set(e);
                    }
                })
                .schedule();
        assertThat(runtime.await(() -> refusal.get() != null, PATIENCE)).isTrue();
        assertThat(refusal.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("may not wait");
    }

    @Test
    void awaitGivesUpAtItsDeadline() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        assertThat(runtime.await(() -> looks.incrementAndGet() < 0, Duration.ZERO))
                .isFalse();
        assertThat(looks).hasValue(1);
        long start = runtime.nanoTime();
        assertThat(runtime.await(() -> false, Duration.ofMillis(3))).isFalse();
        assertThat(runtime.nanoTime() - start).isGreaterThanOrEqualTo(3_000_000);
    }

    @Test
    void aSleepingWaiterSeesItsConditionWithoutAnySignal() throws InterruptedException {
        long start = runtime.nanoTime();
        assertThat(runtime.await(() -> runtime.nanoTime() - start > 5_000_000, PATIENCE))
                .isTrue();
    }

    @Test
    void wakingUpMakesAllSleepersLookAgain() throws InterruptedException {
        Sleepers sleepers = new Sleepers();
        CountDownLatch awake = new CountDownLatch(3);
        CountDownLatch entered = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            Thread.ofVirtual().start(() -> {
                sleepers.enter();
                int ticket = sleepers.ticket();
                entered.countDown();
                try {
                    sleepers.sleep(ticket, PATIENCE.toNanos() * 10);
                } catch (InterruptedException e) {
                    return;
                }
                sleepers.exit();
                awake.countDown();
            });
        }
        entered.await();
        sleepers.wakeUp();
        assertThat(awake.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void awaitObeysInterruption() throws InterruptedException {
        Thread waiter = Thread.currentThread();
        runtime.schedule(Duration.ofMillis(2), waiter::interrupt);
        assertThatThrownBy(() -> runtime.await(() -> false, PATIENCE)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void closingEndsWaitsAndThreadsAndForgetsTheRest() throws InterruptedException {
        AtomicBoolean waiting = new AtomicBoolean();
        AtomicBoolean result = new AtomicBoolean(true);
        Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                result.set(runtime.await(
                        () -> {
                            waiting.set(true);
                            return false;
                        },
                        PATIENCE));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        AtomicReference<Thread> worker = new AtomicReference<>();
        runtime.newSerialTask(() -> worker.set(Thread.currentThread())).schedule();
        assertThat(runtime.await(() -> waiting.get() && worker.get() != null, PATIENCE))
                .isTrue();
        runtime.close();
        runtime.close();
        waiter.join(PATIENCE);
        assertThat(waiter.isAlive()).isFalse();
        assertThat(result).isFalse();
        assertThat(worker.get().isAlive()).isFalse();
        AtomicBoolean ran = new AtomicBoolean();
        ProgressTask task = runtime.newProgressTask(() -> {
            ran.set(true);
            return false;
        });
        task.schedule();
        task.run();
        task.disable();
        runtime.newAlarm(() -> ran.set(true)).set(0);
        assertThat(runtime.await(ran::get, PATIENCE)).isFalse();
    }

    @Test
    void aTaskMayCloseItsRuntime() throws InterruptedException {
        AtomicBoolean closed = new AtomicBoolean();
        CountDownLatch done = new CountDownLatch(1);
        runtime.newSerialTask(() -> {
                    runtime.close();
                    closed.set(true);
                    done.countDown();
                })
                .schedule();
        assertThat(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(closed).isTrue();
    }

    @Test
    void aRuntimeWithoutThreadsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ThreadRuntime(0, 1))
                .withMessageContaining("at least 1");
    }
}
