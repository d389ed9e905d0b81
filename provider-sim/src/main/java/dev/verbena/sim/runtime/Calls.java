package dev.verbena.sim.runtime;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls that threads are in, by {@link CallerRuns#beginCall()}. A thread that never ends a call keeps the tasks for itself that
 * the call has scheduled, and no other thread runs them. So a check from time to time frees the tasks of a thread that has died, and
 * names a thread that is in one call for long.
 */
final class Calls {
    /** How often to check, and how long a call may last before a message names its thread. */
    static final long CHECK_NANOS = 1_000_000_000;

    private static final System.Logger LOGGER = System.getLogger(Calls.class.getName());

    private final Consumer<TaskFifo> release;
    private final Runnable onThread;
    private final Queue<Nesting> known = new ConcurrentLinkedQueue<>();

    /**
     * Makes a set without threads.
     *
     * @param release takes the tasks of a thread that has died, and leaves none
     * @param onThread called when a thread begins its first call: there is one to {@link #check}
     */
    Calls(Consumer<TaskFifo> release, Runnable onThread) {
        this.release = release;
        this.onThread = onThread;
    }

    /** Begins a call in the thread of a nesting. */
    void begin(Nesting here) {
        if (here.calls++ == 0) {
            here.serial++;
            if (!here.known) {
                here.known = true;
                known.add(here);
                onThread.run();
            }
        }
    }

    /** Whether any thread has ever begun a call and lives. */
    boolean isEmpty() {
        return known.isEmpty();
    }

    /** Looks at the threads, once in {@link #CHECK_NANOS}. Reads what belongs to them without a lock, so a message may come late. */
    void check() {
        for (Iterator<Nesting> all = known.iterator(); all.hasNext(); ) {
            Nesting nesting = all.next();
            @Nullable Thread thread = nesting.thread.get();
            if (thread == null || !thread.isAlive()) {
                all.remove();
                free(nesting);
            } else if (nesting.isWaitedFor()) {
                nameThread(nesting, thread);
            }
        }
    }

    private void free(Nesting nesting) {
        if (nesting.calls > 0) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "thread " + nesting.name + " has ended in a call that it began; call endCall() for each"
                            + " beginCall(), in a finally block. The tasks of the call run now: " + nesting.tasks());
            release.accept(nesting.forOthers);
            release.accept(nesting.kept);
        }
    }

    private static void nameThread(Nesting nesting, Thread thread) {
        Throwable place = new Throwable("where " + thread.getName() + " is");
        place.setStackTrace(thread.getStackTrace());
        LOGGER.log(
                System.Logger.Level.WARNING,
                "thread " + thread.getName()
                        + " has been in one call for more than a second, and tasks wait for" + " its end: "
                        + nesting.tasks() + "; call endCall() before waiting for anything",
                place);
    }

    /** The runs and calls that a thread is in, and the tasks they have scheduled. Belongs to the thread. */
    static final class Nesting {
        /** Weak, since the runtime keeps this object as long as the thread lives: a thread that has ended must not stay in memory. */
        private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());

        private final String name = Thread.currentThread().getName();

        /** Runs, one inside the other. */
        int depth;

        /** Calls that have begun and not ended. */
        int calls;

        /** Tasks that the calls have scheduled; empty outside of them. */
        final TaskFifo kept = new TaskFifo();

        /**
         * The same, but not for this thread to run. Given to the workers when the calls end, as these would write to what the calls
         * go on with, and be told of each task by itself.
         */
        final TaskFifo forOthers = new TaskFifo();

        /** How many outermost calls have begun. */
        private long serial;

        private boolean known;

        // For the thread that checks.
        private long seen;
        private long named;

        private int tasks() {
            return kept.size() + forOthers.size();
        }

        /** Whether tasks wait for the end of the call that there was at the last check; true once for a call. */
        private boolean isWaitedFor() {
            long now = serial;
            boolean waits = calls > 0 && tasks() > 0 && now == seen && now != named;
            seen = now;
            if (waits) {
                named = now;
            }
            return waits;
        }
    }
}
