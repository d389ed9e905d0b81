package dev.verbena.lnd;

import dev.verbena.verbs.VerbsRuntime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

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

        /** Goes to the end of the queue if there is or may be more. Under the lock. */
        private void served(boolean more) {
            scheduled = more || ready;
            if (scheduled) {
                queue.add(this);
            }
        }
    }

    /** Adds something to serve: a turn does one piece of work, and is false if there was none. */
    Source newSource(BooleanSupplier turn) {
        return new Source(turn);
    }

    private void serve(int number) {
        @Nullable Source last = null;
        // There may be more after a turn that throws, too, and that is for another run.
        boolean more = true;
        try {
            for (int i = 0; i < TURNS; i++) {
                last = next(number, last, more);
                if (last == null) {
                    return;
                }
                more = true;
                more = last.turn.getAsBoolean();
            }
        } finally {
            if (last != null) {
                relieve(number, last, more);
            }
        }
    }

    /** Puts back whose turn it was, and takes whose turn it is; null if it is nobody's, and then this one is idle. */
    private @Nullable Source next(int number, @Nullable Source last, boolean more) {
        synchronized (queue) {
            if (last != null) {
                last.served(more);
            }
            @Nullable Source first = queue.poll();
            if (first == null) {
                idle.add(workers.get(number));
            } else {
                first.ready = false;
            }
            return first;
        }
    }

    /** Lets another one go on, as a task that schedules itself would do so before all others of the runtime. */
    private void relieve(int number, Source last, boolean more) {
        VerbsRuntime.SerialTask next;
        synchronized (queue) {
            last.served(more);
            next = idle.remove();
            idle.add(workers.get(number));
        }
        next.schedule();
    }

    void stop() {
        workers.forEach(VerbsRuntime.SerialTask::cancel);
    }
}
