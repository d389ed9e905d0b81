// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.VerbsRuntime.Timer;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The daemon threads that run the {@code Runnable}s of {@code SerialTask}s and timers, usually at most two. If {@code
 * Runnable}s are queued and none completes within {@link #PATIENCE_MILLIS}, this class adds a thread. A {@code Runnable}
 * must not block.
 */
final class TaskThreads {
    private static final int USUAL = 2;

    /** The maximum number of threads. While every thread is blocked, further {@code Runnable}s stay queued. */
    static final int MOST = 256;

    private static final long PATIENCE_MILLIS = 10;

    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            USUAL, USUAL, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), TaskThreads::thread);

    /**
     * The timer thread, which submits each due timer to the workers. The timer thread runs no code of the program, so
     * no program code can delay the thread.
     */
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, TaskThreads::thread);

    private final AtomicBoolean watched = new AtomicBoolean();

    TaskThreads() {
        workers.setMaximumPoolSize(MOST);
        workers.allowCoreThreadTimeOut(true);
        clock.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(Runnable body) {
        return new WallRuntime.HandlerThread("verbena-task", body);
    }

    void execute(Runnable task) {
        workers.execute(task);
        if (!workers.getQueue().isEmpty() && watched.compareAndSet(false, true)) {
            watch();
        }
    }

    private void watch() {
        long ended = workers.getCompletedTaskCount();
        Future<?> _ = clock.schedule(() -> look(ended), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(long endedBefore) {
        if (workers.getQueue().isEmpty()) {
            workers.setCorePoolSize(USUAL);
            watched.set(false);
            // `execute` calls `watch()` only if `watched` is false. The second `isEmpty` detects a Runnable that
            // `execute` queued between the first `isEmpty` and `watched.set(false)`.
            if (workers.getQueue().isEmpty() || !watched.compareAndSet(false, true)) {
                return;
            }
        } else if (workers.getCompletedTaskCount() == endedBefore) {
            // If a Runnable is queued, `setCorePoolSize` immediately starts the additional thread.
            workers.setCorePoolSize(Math.min(workers.getCorePoolSize() + 1, MOST));
        }
        watch();
    }

    /** Runs a {@code Runnable} once after a delay. Cancelling the timer immediately removes it from the timer queue. */
    Timer schedule(long delayNanos, Runnable task) {
        AtomicBoolean decided = new AtomicBoolean();
        Future<?> due = clock.schedule(
                () -> execute(() -> {
                    if (decided.compareAndSet(false, true)) {
                        task.run();
                    }
                }),
                delayNanos,
                TimeUnit.NANOSECONDS);
        return () -> {
            boolean prevented = decided.compareAndSet(false, true);
            due.cancel(false);
            return prevented;
        };
    }

    int pendingTimers() {
        return clock.getQueue().size();
    }
}
