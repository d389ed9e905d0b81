package dev.verbena.sim.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks from one queue, and sleep when it is empty. While tasks come so often that looking as the {@link
 * WaitPolicy} says would have found the last one, one of the threads does look, which saves others the wake-up.
 *
 * <p>Whoever adds a task wants a processor as well. So while as many threads are awake as there are processors besides that one, and
 * get on, no further one is woken up: they mostly come to the task sooner. In case that they do not any more, because each is held
 * up by a task that takes long, or that there are many, one of those that sleep stands by meanwhile: it looks at the queue from time
 * to time, and wakes up the others if it has to come itself.
 *
 * <p>A task may be the program's code and block, though it must not. So while tasks wait and no thread has taken one for {@link
 * #STUCK_NANOS}, each thread gets a stand-in, and ends after the task that it is in. The last of {@link #MOST_REPLACED} stand-ins
 * takes {@linkplain RuntimeTask#isInner() inner} tasks only, so that devices make progress whatever the program's code does. The owner
 * of the pool calls {@link #relieve} when the pool asks for that.
 */
final class WorkerPool {
    /** Hints to the processor between two readings of the clock, about a microsecond. */
    private static final int PAUSES = 32;

    /** How often who stands by looks. Tasks wait twice that at most, if the others do not get on. */
    private static final long STAND_BY_MILLIS = 1;

    /** With so many tasks those that are awake can still cope. */
    private static final int BACKLOG = 8;

    /** Threads count as blocked when no task has been taken for this time. */
    static final long STUCK_NANOS = 10_000_000;

    /** How long a task may run before a message names it, if the thread that runs it was replaced. */
    static final long LONG_NANOS = 1_000_000_000;

    /** How many threads may be blocked at a time. */
    static final int MOST_REPLACED = 256;

    private static final System.Logger LOGGER = System.getLogger(WorkerPool.class.getName());

    /** To a thread that waits. */
    private static final long FOR_EVER = 0;

    private final int size;
    private final String namePrefix;
    private final Runnable onStuck;
    private final WaitPolicy waitPolicy;
    /** So many that are awake need no help at once. */
    private final int enough;

    /** Where one of the threads looks for a task, so that the lock is not needed to give it one. */
    private final HandOver handOver = new HandOver();

    /** Guarded by this, as are the other fields below. */
    private final TaskFifo queue = new TaskFifo();

    /** The threads that take tasks. */
    private final List<Worker> workers = new ArrayList<>();
    /** Threads that have a stand-in, and end after their tasks. */
    private final List<Worker> replaced = new ArrayList<>();

    private int started;

    /** Whether the owner calls {@link #relieve} soon. */
    private boolean relieved;
    /** The value of {@link #taken} when the waiting for progress began. */
    private long takenBefore;
    /** When threads count as blocked. */
    private long stuckFrom;

    private int sleeping;
    /** Whether one of those that sleep does so for a moment only. */
    private boolean standingBy;
    /** Tasks that have been taken. */
    private long taken;

    /** When one of the threads had nothing more to run the last time. */
    private long idleSince;
    /** Whether looking from then on would have found the last task. */
    private boolean often;

    private boolean closed;

    /**
     * Makes a pool without threads.
     *
     * @param onStuck called, with the lock held, when tasks wait and no thread is free: {@link #relieve} is to be called soon
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

    /** If tasks wait and no thread is free, asks to be called when the threads count as blocked. */
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
            // A single wake-up might go to the thread that takes inner tasks only.
            notifyAll();
        }
    }

    private void expectProgress(long now) {
        takenBefore = taken;
        stuckFrom = now + STUCK_NANOS;
    }

    /**
     * Replaces threads that are blocked, and names tasks that have blocked one for long.
     *
     * @param now the time by {@link System#nanoTime()}
     * @return how many nanoseconds later to call this again, or {@link Deadlines#NEVER}
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

    /** Notes that a thread is free. Returns whether it has a stand-in, and so ends. */
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

    /** One of the threads. Its fields are guarded by the pool. */
    private final class Worker implements Runnable {
        private final Thread thread;

        /** How many tasks had been taken when it last took one or looked. */
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
                    running.name() + " has run for more than a second; handlers may not block. Another thread has taken"
                            + " the place of " + thread.getName(),
                    place);
        }
    }

    /** Waits for a task; null when the pool is closed. */
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

    /** Whether tasks come often, there is none now, and nobody else looks for one. */
    private synchronized boolean beginLook(Worker worker, long now) {
        idleSince = now;
        return often && !worker.innerOnly && !closed && queue.isEmpty() && handOver.open();
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy here; nothing relies on it.
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

    /** Reading the clock without a pause would take from whoever shares the processor's core. */
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
            // While the others do not get on, the next task had better wake somebody up.
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
            // For these nobody was woken up.
            notifyAll();
        }
        watchProgress();
    }

    @SuppressWarnings("WaitNotInLoop") // The caller's.
    private synchronized void sleep(long millis) {
        sleeping++;
        try {
            wait(millis);
        } catch (InterruptedException ignored) {
            // Some task's code interrupted its thread; that is no reason to end it.
        } finally {
            sleeping--;
        }
    }

    /** Makes the threads end after the run they are in, and forgets what is queued. */
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
