package dev.verbena.sim.runtime;

import org.jspecify.annotations.Nullable;

/** Threads that run tasks from one queue, and sleep when it is empty. */
final class WorkerPool {
    private final Thread[] workers;

    /** Guarded by this, as are the other fields below. */
    private final TaskFifo queue = new TaskFifo();

    private int sleeping;
    private boolean closed;

    WorkerPool(int size, String namePrefix) {
        workers = new Thread[size];
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
        if (sleeping > 0) {
            notify();
        }
    }

    private void work() {
        RuntimeTask task = take();
        while (task != null) {
            task.runQueued();
            task = take();
        }
    }

    /** Waits for a task; null when the pool is closed. */
    private synchronized @Nullable RuntimeTask take() {
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
        queue.clear();
        notifyAll();
    }

    Thread[] threads() {
        return workers.clone();
    }
}
