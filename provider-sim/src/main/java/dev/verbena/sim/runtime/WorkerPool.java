package dev.verbena.sim.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks from one queue, and sleep when it is empty. While tasks come so often that looking as the {@link
 * WaitPolicy} says would have found the last one, one of the threads does look, which saves others the wake-up.
 */
final class WorkerPool {
    /** Hints to the processor between two readings of the clock, about a microsecond. */
    private static final int PAUSES = 32;

    private final Thread[] workers;
    private final WaitPolicy waitPolicy;

    /** Guarded by this, as are the other fields below. */
    private final TaskFifo queue = new TaskFifo();

    private int sleeping;
    private boolean looking;
    /** Whether the one that looks should come; written under the lock. */
    private volatile boolean wanted;

    private boolean closed;

    WorkerPool(int size, String namePrefix, WaitPolicy waitPolicy) {
        workers = new Thread[size];
        this.waitPolicy = waitPolicy;
        for (int i = 0; i < size; i++) {
            workers[i] = Thread.ofPlatform().daemon().name(namePrefix + i).unstarted(this::work);
        }
    }

    void start() {
        for (Thread worker : workers) {
            worker.start();
        }
    }

    synchronized void add(RuntimeTask task) {
        if (closed) {
            return;
        }
        queue.add(task);
        if (looking && queue.size() == 1) {
            wanted = true;
        } else if (sleeping > 0) {
            notify();
        }
    }

    private void work() {
        boolean often = false;
        while (true) {
            long begin = System.nanoTime();
            RuntimeTask task = take(often);
            if (task == null) {
                return;
            }
            often = waitPolicy.after(System.nanoTime() - begin) != WaitPolicy.Step.PARK;
            task.runQueued();
        }
    }

    /** Waits for a task; null when the pool is closed. */
    private @Nullable RuntimeTask take(boolean often) {
        boolean looks = often && beginLook();
        if (looks) {
            look();
        }
        return sleepUntilTask(looks);
    }

    /** Whether there is no task, and nobody else who looks for one. */
    private synchronized boolean beginLook() {
        if (closed || looking || queue.size() > 0) {
            return false;
        }
        looking = true;
        wanted = false;
        return true;
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy here; nothing relies on it.
    private void look() {
        long start = System.nanoTime();
        while (!wanted) {
            switch (waitPolicy.after(System.nanoTime() - start)) {
                case SPIN -> pause();
                case YIELD -> Thread.yield();
                case PARK -> {
                    return;
                }
            }
        }
    }

    /** Reading the clock without a pause would take from whoever shares the processor's core. */
    private void pause() {
        for (int i = 0; i < PAUSES && !wanted; i++) {
            Thread.onSpinWait();
        }
    }

    private synchronized @Nullable RuntimeTask sleepUntilTask(boolean looked) {
        looking &= !looked;
        while (!closed) {
            RuntimeTask task = queue.poll();
            if (task != null) {
                return task;
            }
            sleeping++;
            try {
                wait();
            } catch (InterruptedException ignored) {
                // Some task's code interrupted its thread; that is no reason to end it.
            } finally {
                sleeping--;
            }
        }
        return null;
    }

    /** Makes the threads end after the run they are in, and forgets what is queued. */
    synchronized void close() {
        closed = true;
        wanted = true;
        queue.clear();
        notifyAll();
    }

    Thread[] threads() {
        return workers.clone();
    }
}
