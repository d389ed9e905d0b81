// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks from one queue, and sleep while the queue is empty. While tasks are frequent, one idle thread
 * polls according to the {@link WaitPolicy}. While an idle thread polls, a thread that adds a task need not wake a worker.
 *
 * <p><b>Wake-ups.</b> One processor runs the thread that adds tasks, so one awake worker for each remaining processor is
 * enough. While enough workers are awake and take tasks, an added task wakes no further worker. Meanwhile one idle worker
 * "stands by", that is, wakes up every {@link #STAND_BY_MILLIS} and polls the queue. If tasks stay queued after a periodic
 * poll has taken a task, the polling worker wakes all sleeping workers.
 *
 * <p><b>Blocked workers.</b> A task may run code of the program, such as a handler. Code of the program must not block in a
 * task, but the {@code WorkerPool} must still work if the code blocks. If tasks are queued and no thread takes a task
 * within {@link #STUCK_NANOS}, the pool starts one replacement thread for each busy thread. A replaced thread finishes its
 * current task and then ends. At most {@link #MOST_REPLACED} threads get a replacement. The last replacement runs only
 * tasks that execute no code of the program (see {@link RuntimeTask#isInner()}), so that devices make progress even if code
 * of the program blocks all other threads of the pool. When the pool requests it, the owner of the pool calls {@link
 * #relieve}, which starts the replacement threads.
 */
final class WorkerPool {
    /** The number of spin hints between two readings of the clock; these hints together last about a microsecond. */
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
    /** If this number of workers is awake and an idle worker stands by, an added task wakes no further worker. */
    private final int enough;

    /** The slot through which a thread hands a task to a polling worker without a lock. */
    private final TaskSlot handOver = new TaskSlot();

    /** The queue of tasks. The pool's monitor guards this field and all fields below. */
    private final TaskFifo queue = new TaskFifo();

    private final List<Worker> workers = new ArrayList<>();
    /** Workers that were blocked and got a replacement. A replaced worker ends after its current task. */
    private final List<Worker> replaced = new ArrayList<>();

    private int started;

    /** Whether the pool has asked its owner to call {@link #relieve}, because queued tasks wait for a worker. */
    private boolean relieved;
    /** The value of {@link #taken} when the {@code WorkerPool} began to check for blocked worker threads. */
    private long takenBefore;
    /** If no worker takes a task before this time, the pool treats all busy workers as blocked. */
    private long stuckFrom;

    private int sleeping;
    /** Whether an idle worker is polling the queue at present, once every {@link #STAND_BY_MILLIS}. */
    private boolean standingBy;
    /** The number of tasks that workers have taken. */
    private long taken;

    /** The time at which a worker last ran out of tasks. */
    private long idleSince;
    /**
     * Whether an idle worker polls before it sleeps. The value is true if the time from {@link #idleSince} to the last task
     * was shorter than the polling time of the {@link WaitPolicy}.
     */
    private boolean often;

    private boolean closed;

    /**
     * Makes a pool without threads.
     *
     * @param onStuck the function to call when tasks wait and all threads of the pool are busy. The pool's lock is held
     *     during the call. After the call, the owner of the pool must soon call {@link #relieve}
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
     * If tasks are queued and no worker thread is idle, sets {@link #stuckFrom} and asks the pool's owner to call {@link
     * #relieve}.
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
            // The last replacement thread runs no task with code of the program. notify() might wake only that
            // replacement thread, so this method calls notifyAll().
            notifyAll();
        }
    }

    private void expectProgress(long now) {
        takenBefore = taken;
        stuckFrom = now + STUCK_NANOS;
    }

    /**
     * Replaces threads that are blocked, and logs tasks that have blocked a thread for {@link #LONG_NANOS}.
     *
     * @param now the present value of {@link System#nanoTime()}
     * @return the time in nanoseconds until the owner of the {@code WorkerPool} must call {@code relieve} again, or
     *     {@link Deadlines#NEVER}
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

    /** Notes that a worker has no task. Returns true if this worker has a replacement and must end. */
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

    /** Waits for a task. Returns null if the pool is closed, or the worker must end because it has a replacement. */
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

    /** Returns whether this worker may poll: tasks are frequent, no task is queued, and no other worker polls. */
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
     * Spins for {@link #PAUSES} hints. A loop that reads the clock without a pause would slow the other hardware thread
     * of the core.
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

    /** Makes the threads end after their current run, and discards the queued tasks. */
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
