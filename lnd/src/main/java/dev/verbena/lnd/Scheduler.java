package dev.verbena.lnd;

import dev.verbena.verbs.VerbsRuntime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Serves the connections of one CPU partition in turns, one completion a turn, so that none keeps the others waiting. Works on
 * serial tasks of the runtime, which after some turns let others of the runtime go first, and which a thread that sends may run
 * itself. May be used from several threads, and holds no lock during a turn. Source: {@code struct kib_sched_info}, {@code kiblnd_scheduler}.
 */
final class Scheduler {

    /** Turns between two rests. */
    static final int TURNS = 100;

    private final Deque<Source> queue = new ArrayDeque<>();
    private final List<VerbsRuntime.SerialTask> workers = new ArrayList<>();
    /** Workers that neither run nor are to run. One of them at least is left to relieve a tired one. */
    private final Deque<VerbsRuntime.SerialTask> idle = new ArrayDeque<>();

    /** With so many tasks that serve at once. */
    Scheduler(VerbsRuntime runtime, int count) {
        for (int i = 0; i <= count; i++) {
            int number = i;
            workers.add(runtime.newInnerTask(() -> serve(number)));
        }
        idle.addAll(workers);
    }

    /** Something to be served while it has work. */
    final class Source {
        private final BooleanSupplier turn;
        private boolean ready;
        private boolean scheduled;

        private Source(BooleanSupplier turn) {
            this.turn = turn;
        }

        /** There may be work. Never lost: if it comes during a turn, another turn follows. */
        void ready() {
            VerbsRuntime.SerialTask worker;
            synchronized (queue) {
                ready = true;
                if (scheduled) {
                    return;
                }
                scheduled = true;
                queue.add(this);
                if (idle.size() == 1) {
                    return;
                }
                worker = idle.remove();
            }
            worker.schedule();
        }

        /** Goes to the end of the queue if there is or may be more. */
        private void served(boolean more) {
            synchronized (queue) {
                scheduled = more || ready;
                if (scheduled) {
                    queue.add(this);
                }
            }
        }
    }

    /** Adds something to serve: a turn does one piece of work, and is false if there was none. */
    Source newSource(BooleanSupplier turn) {
        return new Source(turn);
    }

    private void serve(int number) {
        boolean done = false;
        try {
            for (int i = 0; i < TURNS && !done; i++) {
                done = !serveNext(number);
            }
        } finally {
            // After a turn that threw, too, the rest is for another run.
            if (!done) {
                relieve(number);
            }
        }
    }

    /** Lets another one go on, as a task that schedules itself would do so before all others of the runtime. */
    private void relieve(int number) {
        VerbsRuntime.SerialTask next;
        synchronized (queue) {
            next = idle.remove();
            idle.add(workers.get(number));
        }
        next.schedule();
    }

    private boolean serveNext(int number) {
        Source source;
        synchronized (queue) {
            Source first = queue.poll();
            if (first == null) {
                idle.add(workers.get(number));
                return false;
            }
            source = first;
            source.ready = false;
        }
        boolean more = true;
        try {
            more = source.turn.getAsBoolean();
        } finally {
            source.served(more);
        }
        return true;
    }

    void stop() {
        workers.forEach(VerbsRuntime.SerialTask::cancel);
    }
}
