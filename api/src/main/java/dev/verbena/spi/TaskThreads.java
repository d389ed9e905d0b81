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
 * Daemon threads that run a program's tasks and timers: two, and a further one for each {@link #PATIENCE_MILLIS} in
 * which tasks wait and none ends. So a task that blocks, against the rule, costs a thread and delays the other tasks
 * only briefly.
 */
final class TaskThreads {
    private static final int USUAL = 2;

    /** If this number of tasks block at once, further tasks wait. */
    static final int MOST = 256;

    private static final long PATIENCE_MILLIS = 10;

    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            USUAL, USUAL, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), TaskThreads::thread);

    /** Runs no code of the program, so it is never late. */
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
            // The poster of a task that was queued before the flag was cleared did not start to watch.
            if (workers.getQueue().isEmpty() || !watched.compareAndSet(false, true)) {
                return;
            }
        } else if (workers.getCompletedTaskCount() == endedBefore) {
            // Raising the core size starts a thread at once for a waiting task.
            workers.setCorePoolSize(Math.min(workers.getCorePoolSize() + 1, MOST));
        }
        watch();
    }

    /** Runs a task once after a delay. A cancelled task is released at once. */
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
