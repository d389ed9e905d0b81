// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records which threads of the program are in a call into the runtime. A call lasts from {@code CallerRuns.beginCall()} to
 * {@code endCall()}. Tasks that a call schedules are reserved for the thread of the call, and do not run if the call never
 * ends. A periodic check releases the tasks of each thread that died during a call. If a call lasts longer than {@link
 * #CHECK_NANOS} and tasks wait for its end, the periodic check logs the name of the calling thread.
 */
final class Calls {
    /** The time between two runs of {@link #check}. */
    static final long CHECK_NANOS = 1_000_000_000;

    private static final System.Logger LOGGER = System.getLogger(Calls.class.getName());

    private final Consumer<TaskFifo> release;
    private final Runnable onThread;
    private final Queue<Nesting> known = new ConcurrentLinkedQueue<>();

    /**
     * Makes the object for a runtime in which no thread has begun a call.
     *
     * @param release the function that empties the {@code TaskFifo} of a dead thread, and runs its tasks
     * @param onThread the function to call when a thread begins its first call into the runtime; later, the runtime
     *     must call {@link #check} every {@link #CHECK_NANOS}
     */
    Calls(Consumer<TaskFifo> release, Runnable onThread) {
        this.release = release;
        this.onThread = onThread;
    }

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

    /** Returns whether no thread has ever begun a call, except for threads that {@link #check} has found dead. */
    boolean isEmpty() {
        return known.isEmpty();
    }

    /**
     * Releases the tasks that were reserved for threads that died before {@code endCall}. Logs the name of a thread
     * whose long call delays tasks. The runtime must call this method once per {@link #CHECK_NANOS}. This method reads
     * the call counts of other threads without a lock, so it may log a long call late.
     */
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
                    "thread " + nesting.name + " has ended inside a call; call endCall() for each"
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

    /**
     * Contains, for one thread, the number of nested tasks, the number of unended calls, and the tasks that wait for
     * the end of the calls. A thread changes only its own {@code Nesting}.
     */
    static final class Nesting {
        /** A weak reference, so that this object does not prevent the garbage collection of an ended thread. */
        private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());

        private final String name = Thread.currentThread().getName();

        /** The number of tasks on the thread's call stack. If one task runs another task, the number is at least 2. */
        int depth;

        /** The number of calls into the runtime that the thread has begun and not ended. */
        int calls;

        /** Tasks that only this thread may run until its calls into the runtime end; empty outside of such calls. */
        final TaskFifo kept = new TaskFifo();

        /**
         * Tasks that the thread's calls have scheduled for the workers. The workers get the tasks of a call only when
         * the call has ended, because the tasks write to memory that the call uses.
         */
        final TaskFifo forOthers = new TaskFifo();

        /** The number of outermost calls into the runtime that the thread has begun. */
        private long serial;

        private boolean known;

        // Only the thread that runs Calls.check uses the fields seen and named.
        private long seen;
        private long named;

        private int tasks() {
            return kept.size() + forOthers.size();
        }

        /**
         * Returns whether the thread's current call began before the last {@link Calls#check} and tasks wait for the end of
         * this call. This method returns true at most once for each outermost {@code beginCall()} of the thread.
         */
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
