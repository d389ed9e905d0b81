package dev.verbena.sim.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks from one queue, and sleep when it is empty. While tasks come so often that looking as the {@link
 * WaitPolicy} says would have found the last one, one of the threads does look, which saves others the wake-up.
 *
 * <p>Whoever adds a task wants a processor as well. So while as many threads are awake as there are processors besides that one, and
 * get on, no further one is woken up: they mostly come to the task sooner. In case that they do not any more, because each is held
 * up by a task that takes long, or that there are many, one of those that sleep stands by meanwhile: it looks at the queue from time
 * to time, and wakes up the others if it has to come itself.
 */
final class WorkerPool {
    /** Hints to the processor between two readings of the clock, about a microsecond. */
    private static final int PAUSES = 32;

    /** How often who stands by looks. Tasks wait twice that at most, if the others do not get on. */
    private static final long STAND_BY_MILLIS = 1;

    /** With so many tasks those that are awake can still cope. */
    private static final int BACKLOG = 8;

    /** To a thread that waits. */
    private static final long FOR_EVER = 0;

    private final Thread[] workers;
    private final WaitPolicy waitPolicy;
    /** So many that are awake need no help at once. */
    private final int enough;

    /** Where one of the threads looks for a task, so that the lock is not needed to give it one. */
    private final HandOver handOver = new HandOver();

    /** Guarded by this, as are the other fields below. */
    private final TaskFifo queue = new TaskFifo();

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

    WorkerPool(int size, String namePrefix, WaitPolicy waitPolicy) {
        this(size, namePrefix, waitPolicy, Runtime.getRuntime().availableProcessors());
    }

    WorkerPool(int size, String namePrefix, WaitPolicy waitPolicy, int processors) {
        workers = new Thread[size];
        this.waitPolicy = waitPolicy;
        enough = Math.max(1, processors - 1);
        for (int i = 0; i < size; i++) {
            workers[i] = Thread.ofPlatform().daemon().name(namePrefix + i).unstarted(new Worker());
        }
    }

    void start() {
        for (Thread worker : workers) {
            worker.start();
        }
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
            notify();
        }
    }

    private int awake() {
        return workers.length - sleeping;
    }

    /** What one of the threads does. */
    private final class Worker implements Runnable {
        /** How many tasks had been taken when it last took one or looked; guarded by the pool. */
        private long seen;

        @Override
        public void run() {
            for (RuntimeTask task = take(this); task != null; task = take(this)) {
                task.runQueued();
            }
        }
    }

    /** Waits for a task; null when the pool is closed. */
    private @Nullable RuntimeTask take(Worker worker) {
        long now = System.nanoTime();
        RuntimeTask found = beginLook(now) ? look(now) : null;
        if (found == null) {
            return sleepUntilTask(worker);
        }
        taken(worker, false);
        return found;
    }

    /** Whether tasks come often, there is none now, and nobody else looks for one. */
    private synchronized boolean beginLook(long now) {
        idleSince = now;
        return often && !closed && queue.isEmpty() && handOver.open();
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
                RuntimeTask stuck = stood ? handOver.steal() : null;
                RuntimeTask task = stuck == null ? queue.poll() : stuck;
                if (task != null) {
                    taken(worker, stood);
                    return task;
                }
            }
            // While the others do not get on, the next task had better wake somebody up.
            stood = othersGetOn && !standingBy;
            worker.seen = taken;
            standingBy |= stood;
            sleep(stood ? STAND_BY_MILLIS : FOR_EVER);
            standingBy &= !stood;
        }
        return null;
    }

    private synchronized void taken(Worker worker, boolean stood) {
        taken++;
        worker.seen = taken;
        often = waitPolicy.after(System.nanoTime() - idleSince) != WaitPolicy.Step.PARK;
        if (stood && queue.size() > 0) {
            // For these nobody was woken up.
            notifyAll();
        }
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

    Thread[] threads() {
        return workers.clone();
    }
}
