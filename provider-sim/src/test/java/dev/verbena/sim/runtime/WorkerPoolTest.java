// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Worker threads, with more or fewer of them than processors. */
class WorkerPoolTest {
    /** Long enough for the slowest machine; only a failing test waits this long. */
    private static final int PATIENCE_SECONDS = 60;

    private static final int TWO_WORKERS = 2;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void aTaskThatTakesLongHoldsUpNoOther(int processors) {
        try (Pool pool = new Pool(TWO_WORKERS, processors)) {
            for (int round = 0; round < 300; round++) {
                // So that one of the threads stands by, sleeps, or polls.
                pool.burst(round % 8);
                CountDownLatch released = new CountDownLatch(1);
                CountDownLatch ended = new CountDownLatch(1);
                pool.add(() -> {
                    awaitPatiently(released);
                    ended.countDown();
                });
                pool.add(released::countDown);
                awaitPatiently(ended);
            }
            assertThat(pool.failure).hasValue(null);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "2, 2", "2, 3", "4, 2", "4, 16"})
    void everyTaskRunsOnce(int workers, int processors) {
        try (Pool pool = new Pool(workers, processors)) {
            for (int round = 0; round < 2_000; round++) {
                pool.burst(round % 5);
            }
            assertThat(pool.failure).hasValue(null);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "2, 2", "2, 3", "3, 2", "4, 1", "4, 2", "5, 3"})
    void allThreadsWorkWhileThereIsMoreThanSomeCanDo(int workers, int processors) {
        try (Pool pool = new Pool(workers, processors)) {
            for (int round = 0; round < 200; round++) {
                pool.burst(round % 8);
                CountDownLatch all = new CountDownLatch(workers);
                CountDownLatch ended = new CountDownLatch(workers);
                for (int i = 0; i < workers; i++) {
                    pool.add(() -> {
                        all.countDown();
                        awaitPatiently(all);
                        ended.countDown();
                    });
                }
                awaitPatiently(ended);
            }
            assertThat(pool.failure).hasValue(null);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "2, 4"})
    void tasksRunHoweverManyBlock(int workers, int processors) {
        try (Pool pool = new Pool(workers, processors)) {
            for (int round = 0; round < 20; round++) {
                CountDownLatch released = new CountDownLatch(1);
                CountDownLatch blocked = new CountDownLatch(5 * workers);
                for (int i = 0; i < 5 * workers; i++) {
                    pool.add(() -> {
                        blocked.countDown();
                        awaitPatiently(released);
                    });
                }
                pool.relieveUntil(blocked);
                CountDownLatch ran = new CountDownLatch(1);
                pool.add(ran::countDown);
                pool.relieveUntil(ran);
                released.countDown();
                pool.burst(round);
            }
            assertThat(pool.failure).hasValue(null);
        }
    }

    @Test
    void tasksOfDevicesRunWhenNoFurtherThreadMayBlock() {
        try (Pool pool = new Pool(TWO_WORKERS, 2)) {
            CountDownLatch released = new CountDownLatch(1);
            CountDownLatch blocked = new CountDownLatch(WorkerPool.MOST_REPLACED);
            for (int i = 0; i < 2 * WorkerPool.MOST_REPLACED; i++) {
                pool.add(() -> {
                    blocked.countDown();
                    awaitPatiently(released);
                });
            }
            pool.relieveUntil(blocked);
            for (int i = 0; i < 100; i++) {
                CountDownLatch ran = new CountDownLatch(1);
                RuntimeTask.once(pool, ran::countDown, true).schedule();
                pool.relieveUntil(ran);
            }
            released.countDown();
            pool.burst(100);
            assertThat(pool.failure).hasValue(null);
        }
    }

    private static void awaitPatiently(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("nothing happens");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A pool with tasks that run once each. */
    private static final class Pool implements TaskHost, AutoCloseable {
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final WorkerPool workers;

        Pool(int size, int processors) {
            workers = new WorkerPool(size, "test-worker-", WaitPolicy.DEFAULT, () -> {}, processors);
            workers.start();
        }

        void add(Runnable body) {
            RuntimeTask.once(this, body).schedule();
        }

        /** Lets the time pass after which threads count as blocked, repeatedly until the latch is released. */
        void relieveUntil(CountDownLatch happened) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (happened.getCount() > 0) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                workers.relieve(System.nanoTime() + WorkerPool.STUCK_NANOS);
                Thread.onSpinWait();
            }
        }

        /** Adds tasks, and waits until each has run. */
        void burst(int count) {
            AtomicInteger ran = new AtomicInteger();
            CountDownLatch all = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                add(() -> {
                    ran.incrementAndGet();
                    all.countDown();
                });
            }
            awaitPatiently(all);
            assertThat(ran).hasValue(count);
        }

        @Override
        public void enqueue(RuntimeTask task) {
            workers.add(task);
        }

        @Override
        public boolean tryEnter() {
            return true;
        }

        @Override
        public void exit() {}

        @Override
        public void failed(Throwable thrown) {
            failure.set(thrown);
        }

        @Override
        public void close() {
            workers.close();
            for (Thread worker : workers.threads()) {
                try {
                    assertThat(worker.join(Duration.ofSeconds(PATIENCE_SECONDS)))
                            .isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
