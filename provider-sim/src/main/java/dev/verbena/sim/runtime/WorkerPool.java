// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks from one queue, and sleep while the queue is empty. While the task rate is high, one idle thread
 * polls for tasks as the {@link WaitPolicy} specifies. While an idle thread polls, a thread that adds a task need not wake
 * a worker.
 *
 * <p><b>Wake-ups.</b> One processor runs the thread that adds tasks, so one awake worker for each remaining processor is
 * enough. While enough workers are awake and take tasks, an added task wakes no further worker. Meanwhile one idle worker
 * wakes up every {@link #STAND_BY_MILLIS} and polls the queue. If tasks stay queued after a periodic poll has taken a task,
 * the polling worker wakes all sleeping workers.
 *
 * <p><b>Blocked workers.</b> A task may run application code, such as a completion handler. Application code must not block
 * in a task, but the {@code WorkerPool} must still work if application code blocks. If tasks are queued and no worker takes
 * a task within {@link #STUCK_NANOS}, the pool starts a replacement thread for each busy worker. A worker that has a
 * replacement thread exits after its current task. At most {@link #MOST_REPLACED} workers get a replacement thread. The
 * last replacement thread runs only tasks that execute no application code (see {@link RuntimeTask#isInner()}). Devices
 * therefore make progress even if application code blocks all other workers. On the pool's request, {@link ThreadRuntime}
 * calls {@link #relieve}, which starts the replacement threads.
 */
final class WorkerPool {
    /** The number of {@link Thread#onSpinWait} calls between two readings of the clock; they take about a microsecond. */
    private static final int PAUSES = 32;

    /**
     * The period at which one idle worker thread wakes up and polls the task queue. If all awake workers are blocked, a
     * queued task waits at most {@code 2 * STAND_BY_MILLIS}.
     */
    private static final long STAND_BY_MILLIS = 1;

    /** A periodic poll takes no task if enough workers take tasks and the queue has at most this length. */
    private static final int BACKLOG = 8;

    /** If no worker takes a queued task within this number of nanoseconds, the workers count as blocked. */
    static final long STUCK_NANOS = 10_000_000;

    /** If a task blocks a worker thread for longer than this time, a log message names the task. */
    static final long LONG_NANOS = 1_000_000_000;

    /** The maximum number of blocked worker threads for which the pool starts a replacement thread. */
    static final int MOST_REPLACED = 256;

    private static final System.Logger LOGGER = System.getLogger(WorkerPool.class.getName());

    /** The argument of {@code Object.wait} that means no timeout. */
    private static final long FOR_EVER = 0;

    private final int size;
    private final String namePrefix;
    private final Runnable onStuck;
    private final WaitPolicy waitPolicy;
    /** If this number of workers is awake and an idle worker polls periodically, an added task wakes no further worker. */
    private final int enough;

    /** The one-element queue through which a thread passes a task to a polling worker without a lock. */
    private final TaskSlot handOver = new TaskSlot();

    /** The queue of tasks. The pool's monitor guards this field and all fields below. */
    private final TaskFifo queue = new TaskFifo();

    private final List<Worker> workers = new ArrayList<>();
    /** Blocked workers that have a replacement thread. Such a worker exits after its current task. */
    private final List<Worker> replaced = new ArrayList<>();

    private int started;

    /** Whether the {@link ThreadRuntime} must call {@link #relieve}, because queued tasks wait for a worker. */
    private boolean relieved;
    /** The value of {@link #taken} when the {@code WorkerPool} began to check for blocked worker threads. */
    private long takenBefore;
    /** If no worker takes a task before this time, the pool treats all busy workers as blocked. */
    private long stuckFrom;

    private int sleeping;
    /** Whether an idle worker currently polls the queue, once every {@link #STAND_BY_MILLIS}. */
    private boolean standingBy;
    /** The number of tasks that workers have taken. */
    private long taken;

    /** The time at which a worker last ran out of tasks. */
    private long idleSince;
    /**
     * Whether an idle worker polls for tasks before it sleeps. The value is true if the time from {@link #idleSince} to the
     * last task was shorter than the polling time of the {@link WaitPolicy}.
     */
    private boolean often;

    private boolean closed;

    /**
     * Makes a pool without threads.
     *
     * @param onStuck the function to call when tasks are queued and all workers are busy. The pool's lock is held during
     *     the call. Soon after the call, the {@link ThreadRuntime} must call {@link #relieve}
     */
    WorkerPool(int size, String namePrefix, WaitPolicy waitPolicy, Runnable onStuck) {
        this(size, namePrefix, waitPolicy, onStuck, Runtime.getRuntime().availableProcessors());
    }

    WorkerPool(int size, String namePrefix, WaitPolicy waitPolicy, Runnable onStuck, int processors) {
        this.size = size;
        this.namePrefix = namePrefix;
        this.waitPolicy = waitPolicy;
        this.onStuck = onStuck;
        enough = Math.max(1, processors - 1);
    }

    synchronized void start() {
        for (int i = 0; i < size; i++) {
            startWorker(false);
        }
    }

    private void startWorker(boolean innerOnly) {
        Worker worker = new Worker(namePrefix + started++, innerOnly);
        worker.thread.start();
        workers.add(worker);
    }

    void add(RuntimeTask task) {
        if (!handOver.offer(task)) {
            addToQueue(task);
        }
    }

    private synchronized void addToQueue(RuntimeTask task) {
        if (closed) {
            return;
        }
        queue.add(task);
        if (sleeping > 0 && (!standingBy || awake() < enough)) {
            wakeOne();
        }
        watchProgress();
    }

    /**
     * If tasks are queued and no worker thread is idle, sets {@link #stuckFrom} and asks the {@link ThreadRuntime} to call
     * {@link #relieve}.
     */
    private void watchProgress() {
        if (!relieved && sleeping == 0 && !queue.isEmpty()) {
            relieved = true;
            expectProgress(System.nanoTime());
            onStuck.run();
        }
    }

    private synchronized void wakeOne() {
        if (replaced.size() < MOST_REPLACED) {
            notify();
        } else {
            // The last replacement thread runs no task with application code. notify() might wake only this thread, so
            // this method calls notifyAll().
            notifyAll();
        }
    }

    private void expectProgress(long now) {
        takenBefore = taken;
        stuckFrom = now + STUCK_NANOS;
    }

    /**
     * Starts replacement threads for blocked workers, and logs tasks that have blocked a worker for {@link #LONG_NANOS}.
     *
     * @param now the current value of {@link System#nanoTime()}
     * @return the time in nanoseconds until the {@link ThreadRuntime} must call {@code relieve} again, or {@link
     *     Deadlines#NEVER}
     */
    synchronized long relieve(long now) {
        boolean waiting = !closed && !queue.isEmpty() && sleeping == 0 && replaced.size() < MOST_REPLACED;
        if (!waiting || taken != takenBefore) {
            expectProgress(now);
        } else if (now >= stuckFrom) {
            replaceAll(now);
            expectProgress(now);
        }
        replaced.forEach(worker -> worker.nameTask(now));
        relieved = waiting;
        if (waiting) {
            return stuckFrom - now;
        }
        return replaced.isEmpty() ? Deadlines.NEVER : LONG_NANOS;
    }

    private void replaceAll(long now) {
        for (Worker worker : List.copyOf(workers)) {
            if (worker.task != null && replaced.size() < MOST_REPLACED) {
                startWorker(replaced.size() == MOST_REPLACED - 1);
                workers.remove(worker);
                worker.replacedAt = now;
                replaced.add(worker);
            }
        }
    }

    /** Records that a worker has no task. Returns true if the worker must exit, because it has a replacement thread. */
    private synchronized boolean isReplaced(Worker worker) {
        worker.task = null;
        boolean ends = replaced.remove(worker);
        if (ends) {
            workers.forEach(other -> other.innerOnly = false);
            notifyAll();
        }
        return ends;
    }

    private int awake() {
        return workers.size() - sleeping;
    }

    /** A thread of the pool. The lock of the {@code WorkerPool} guards the fields of each {@code Worker}. */
    private final class Worker implements Runnable {
        private final Thread thread;

        /** The value of {@link WorkerPool#taken} after this worker last looked for a task. */
        private long seen;

        private @Nullable RuntimeTask task;
        private boolean innerOnly;
        private long replacedAt;
        private boolean named;

        Worker(String name, boolean innerOnly) {
            thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
            this.innerOnly = innerOnly;
        }

        @Override
        public void run() {
            for (RuntimeTask next = take(this); next != null; next = take(this)) {
                next.runQueued();
            }
        }

        private void nameTask(long now) {
            RuntimeTask running = task;
            if (running == null || named || now - replacedAt < LONG_NANOS) {
                return;
            }
            named = true;
            Throwable place = new Throwable("where " + thread.getName() + " blocks");
            place.setStackTrace(thread.getStackTrace());
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    running.name() + " has run for more than a second; handlers must not block. Another thread"
                            + " replaces " + thread.getName(),
                    place);
        }
    }

    /** Waits for a task. Returns null if the pool is closed or the worker has a replacement thread. */
    private @Nullable RuntimeTask take(Worker worker) {
        if (isReplaced(worker)) {
            return null;
        }
        long now = System.nanoTime();
        RuntimeTask found = beginLook(worker, now) ? look(now) : null;
        if (found == null) {
            return sleepUntilTask(worker);
        }
        taken(worker, found, false);
        return found;
    }

    /** Returns whether this worker may poll for tasks: the task rate is high, no task is queued, no other worker polls. */
    private synchronized boolean beginLook(Worker worker, long now) {
        idleSince = now;
        return often && !worker.innerOnly && !closed && queue.isEmpty() && handOver.open();
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding only helps other threads; correctness does not depend on it.
    private @Nullable RuntimeTask look(long start) {
        while (!handOver.hasEnded()) {
            switch (waitPolicy.after(System.nanoTime() - start)) {
                case SPIN -> pause();
                case YIELD -> Thread.yield();
                case PARK -> {
                    return handOver.close();
                }
            }
        }
        return handOver.close();
    }

    /**
     * Calls {@link Thread#onSpinWait} at most {@link #PAUSES} times. A loop that reads the clock without a pause would slow
     * the other hardware thread of the core.
     */
    private void pause() {
        for (int i = 0; i < PAUSES && !handOver.hasEnded(); i++) {
            Thread.onSpinWait();
        }
    }

    private synchronized @Nullable RuntimeTask sleepUntilTask(Worker worker) {
        boolean stood = false;
        while (!closed) {
            boolean othersGetOn = awake() > enough && taken != worker.seen;
            if (!stood || !othersGetOn || queue.size() > BACKLOG) {
                RuntimeTask task = next(worker, stood);
                if (task != null) {
                    taken(worker, task, stood);
                    return task;
                }
            }
            // An idle worker polls the queue periodically only while enough workers are awake and take tasks. An idle
            // worker that does not poll the queue sleeps until a task is queued.
            stood = othersGetOn && !standingBy && !worker.innerOnly;
            worker.seen = taken;
            standingBy |= stood;
            sleep(stood ? STAND_BY_MILLIS : FOR_EVER);
            standingBy &= !stood;
        }
        return null;
    }

    private @Nullable RuntimeTask next(Worker worker, boolean stood) {
        if (worker.innerOnly) {
            return queue.pollInner();
        }
        RuntimeTask stuck = stood ? handOver.steal() : null;
        return stuck == null ? queue.poll() : stuck;
    }

    private synchronized void taken(Worker worker, RuntimeTask task, boolean stood) {
        worker.task = task;
        taken++;
        worker.seen = taken;
        often = waitPolicy.after(System.nanoTime() - idleSince) != WaitPolicy.Step.PARK;
        if (stood && queue.size() > 0) {
            // The threads that added the queued tasks did not wake a worker.
            notifyAll();
        }
        watchProgress();
    }

    @SuppressWarnings("WaitNotInLoop") // The caller calls `sleep` in a loop.
    private synchronized void sleep(long millis) {
        sleeping++;
        try {
            wait(millis);
        } catch (InterruptedException ignored) {
            // The code of a task may interrupt the worker (`Thread.interrupt`). An interrupt must not end a worker.
        } finally {
            sleeping--;
        }
    }

    /** Makes the workers exit after their current tasks, and discards the queued tasks. */
    synchronized void close() {
        closed = true;
        handOver.close();
        queue.clear();
        notifyAll();
    }

    synchronized List<Thread> threads() {
        return Stream.concat(workers.stream(), replaced.stream())
                .map(worker -> worker.thread)
                .toList();
    }
}
