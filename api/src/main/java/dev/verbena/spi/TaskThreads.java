package dev.verbena.spi;

import dev.verbena.verbs.VerbsRuntime.Timer;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Daemon threads that run a program's tasks and timers: two, and a further one whenever tasks wait and none has ended for a while. A
 * task that blocks, which it may not, then costs a thread and keeps no other waiting for long.
 */
final class TaskThreads {
    private static final int USUAL = 2;

    /** More tasks than this that block at once do keep others waiting. */
    static final int MOST = 256;

    private static final long PATIENCE_MILLIS = 10;

    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            USUAL, USUAL, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), TaskThreads::thread);

    /** Runs nothing of the program's, and so is always there in time. */
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
            // A task that came before the flag was cleared has not begun to watch.
            if (workers.getQueue().isEmpty() || !watched.compareAndSet(false, true)) {
                return;
            }
        } else if (workers.getCompletedTaskCount() == endedBefore) {
            // Starts a thread at once for a task that waits.
            workers.setCorePoolSize(Math.min(workers.getCorePoolSize() + 1, MOST));
        }
        watch();
    }

    /** Runs a task once after a delay; one that is prevented is forgotten at once. */
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
