// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.VerbsRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves the connections of one CPU partition in turns, one completion per turn, so that no connection delays the
 * others. The scheduler runs on serial tasks of the runtime. After {@link #TURNS} turns a task lets other tasks of the
 * runtime run first, and a sending thread may run a task itself. May be used from several threads, and holds no lock
 * during a turn. Source: {@code struct kib_sched_info}, {@code kiblnd_scheduler}.
 */
final class Scheduler {

    /** Turns between two rests. */
    static final int TURNS = 100;

    private final List<Worker> workers = new ArrayList<>();
    /**
     * The workers that neither run nor are scheduled, as a linked list. At least one is always idle, to relieve a
     * worker after its turns. The worker that has been idle longest is used first. The last run of a more recent one
     * may not have ended in its thread yet, and the new run would continue in that thread.
     */
    private @Nullable Worker firstIdle;

    private @Nullable Worker lastIdle;
    /** The sources with work, as a linked list, so that only they are accessed. */
    private @Nullable Source first;

    private @Nullable Source last;

    /** Makes a scheduler with {@code count} tasks that serve at once. */
    Scheduler(CallerRuns callerRuns, int count) {
        for (int i = 0; i <= count; i++) {
            Worker worker = new Worker(this, callerRuns);
            workers.add(worker);
            rest(worker);
        }
    }

    /** A task that serves, which at rest is one of the scheduler's idle ones. */
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

    /** Something to be served while it has work. */
    abstract static class Source {
        private final Scheduler scheduler;
        private boolean ready;
        private boolean scheduled;
        private @Nullable Source next;

        Source(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        /** Does one piece of work; false if there is no more. */
        abstract boolean turn();

        /** There may be work. Never lost: if it comes during a turn, another turn follows. */
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

    private void rest(Worker worker) {
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

    /** Queues the source again if it has or may have more work. Under the lock. */
    private void served(Source source, boolean more) {
        source.scheduled = more || source.ready;
        if (source.scheduled) {
            enqueue(source);
        }
    }

    private void serve(Worker worker) {
        @Nullable Source served = null;
        // There may be more after a turn that throws, too, and that is for another run.
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
     * Ends the turn of the served source and returns the next source. If there is none, returns null, and the worker is
     * idle.
     */
    private @Nullable Source next(Worker worker, @Nullable Source served, boolean more) {
        synchronized (this) {
            if (served != null) {
                served(served, more);
            }
            @Nullable Source next = dequeue();
            if (next == null) {
                rest(worker);
            } else {
                next.ready = false;
            }
            return next;
        }
    }

    /**
     * Continues with another worker, since a task that schedules itself would run again before all other tasks of the
     * runtime.
     */
    private void relieve(Worker worker, Source served, boolean more) {
        Worker next;
        synchronized (this) {
            served(served, more);
            next = Objects.requireNonNull(firstIdle, "nobody is left to relieve a worker");
            firstIdle = next.nextIdle;
            rest(worker);
        }
        next.task.schedule();
    }

    void stop() {
        workers.forEach(worker -> worker.task.cancel());
    }
}
