// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.VerbsRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Handles the completions of the connections of one CPU partition. The scheduler handles one completion of a connection,
 * and then one completion of the next connection, so that no connection delays another. After {@link #TURNS} completions, a
 * scheduler task yields to other tasks. A thread that sends a message may also run a scheduler task. Thread-safe; no lock
 * is held while a completion is handled. Source: {@code struct kib_sched_info}, {@code kiblnd_scheduler}.
 */
final class Scheduler {

    /** The number of completions after which a scheduler task yields: it schedules an idle worker and returns. */
    static final int TURNS = 100;

    private final List<Worker> workers = new ArrayList<>();
    /**
     * The first worker in the linked list of idle workers. At least one worker is always idle. When a worker has handled
     * {@link #TURNS} completions in one run, an idle worker can handle the next completion. The scheduler first runs the
     * worker that has been idle for the longest time. The task of the last worker in the list may still run, because a
     * worker adds itself to the list shortly before its task returns.
     */
    private @Nullable Worker firstIdle;

    private @Nullable Worker lastIdle;
    /** The first connection in the linked list of connections that have completions to handle. */
    private @Nullable Source first;

    private @Nullable Source last;

    Scheduler(CallerRuns callerRuns, int count) {
        for (int i = 0; i <= count; i++) {
            Worker worker = new Worker(this, callerRuns);
            workers.add(worker);
            addIdle(worker);
        }
    }

    /** A {@code SerialTask} that handles one completion of each queued connection in turn. */
    private static final class Worker implements Runnable {
        private final Scheduler scheduler;
        private final VerbsRuntime.SerialTask task;
        private @Nullable Worker nextIdle;

        Worker(Scheduler scheduler, CallerRuns callerRuns) {
            this.scheduler = scheduler;
            task = callerRuns.newCallerRunsTask(this);
        }

        @Override
        public void run() {
            scheduler.serve(this);
        }
    }

    /** A connection whose completions the scheduler handles. */
    abstract static class Source {
        private final Scheduler scheduler;
        private boolean ready;
        private boolean scheduled;
        private @Nullable Source next;

        Source(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        /**
         * Handles one completion of the connection, if there is one. Returns false if no other completion of the
         * connection is pending.
         */
        abstract boolean turn();

        /**
         * Queues this connection, so that the scheduler handles its next completion. If a worker is already handling a
         * completion of this connection, the worker queues the connection afterward.
         */
        final void ready() {
            scheduler.ready(this);
        }
    }

    private void ready(Source source) {
        @Nullable Worker worker;
        synchronized (this) {
            source.ready = true;
            if (source.scheduled) {
                return;
            }
            source.scheduled = true;
            enqueue(source);
            worker = firstIdle;
            if (worker == null || worker.nextIdle == null) {
                return;
            }
            firstIdle = worker.nextIdle;
        }
        worker.task.schedule();
    }

    private void addIdle(Worker worker) {
        worker.nextIdle = null;
        if (firstIdle == null) {
            firstIdle = worker;
        } else if (lastIdle != null) {
            lastIdle.nextIdle = worker;
        }
        lastIdle = worker;
    }

    private void enqueue(Source source) {
        if (first == null) {
            first = source;
        } else if (last != null) {
            last.next = source;
        }
        last = source;
    }

    private @Nullable Source dequeue() {
        @Nullable Source head = first;
        if (head != null) {
            first = head.next;
            head.next = null;
        }
        return head;
    }

    /** Queues the connection again if it may have further completions. The caller must hold the lock of this scheduler. */
    private void served(Source source, boolean more) {
        source.scheduled = more || source.ready;
        if (source.scheduled) {
            enqueue(source);
        }
    }

    private void serve(Worker worker) {
        @Nullable Source served = null;
        // `more` stays true if `turn()` throws an exception, because the connection may have further completions.
        boolean more = true;
        try {
            for (int i = 0; i < TURNS; i++) {
                served = next(worker, served, more);
                if (served == null) {
                    return;
                }
                more = true;
                more = served.turn();
            }
        } finally {
            if (served != null) {
                relieve(worker, served, more);
            }
        }
    }

    /**
     * If the connection {@code served} may have more completions, queues this connection again. Returns the next connection
     * that has a completion to handle; null if no connection is queued.
     */
    private @Nullable Source next(Worker worker, @Nullable Source served, boolean more) {
        synchronized (this) {
            if (served != null) {
                served(served, more);
            }
            @Nullable Source next = dequeue();
            if (next == null) {
                addIdle(worker);
            } else {
                next.ready = false;
            }
            return next;
        }
    }

    /**
     * Schedules an idle worker of this scheduler, which continues the work of the calling worker. The calling worker
     * becomes idle. The calling worker does not schedule its own task, because this task would run before all other tasks.
     */
    private void relieve(Worker worker, Source served, boolean more) {
        Worker next;
        synchronized (this) {
            served(served, more);
            next = Objects.requireNonNull(firstIdle, "no thread is left to relieve a worker");
            firstIdle = next.nextIdle;
            addIdle(worker);
        }
        next.task.schedule();
    }

    void stop() {
        workers.forEach(worker -> worker.task.cancel());
    }
}
