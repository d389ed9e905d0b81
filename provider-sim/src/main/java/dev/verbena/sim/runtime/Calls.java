// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records which threads are in a call into the LND, from {@code CallerRuns.beginCall()} to {@code endCall()}. Tasks that a
 * thread schedules during such a call are queued until {@code endCall()}. If the thread exits before {@code endCall()}, a
 * periodic check passes its queued tasks to the worker threads. If a call into the LND lasts longer than {@link #CHECK_NANOS}
 * and has queued tasks, the periodic check logs the name of the calling thread.
 */
final class Calls {
    /** The time between two calls of {@link #check}. */
    static final long CHECK_NANOS = 1_000_000_000;

    private static final System.Logger LOGGER = System.getLogger(Calls.class.getName());

    private final Consumer<TaskFifo> release;
    private final Runnable onThread;
    private final Queue<Nesting> known = new ConcurrentLinkedQueue<>();

    /**
     * Makes an empty record of calls into the LND.
     *
     * @param release the function that passes all tasks in the {@code TaskFifo} of an exited thread to the worker threads
     * @param onThread the function to call when a thread begins its first call into the LND. From then on, {@link
     *     ThreadRuntime} must call {@link #check} every {@link #CHECK_NANOS}
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

    /** Returns whether no thread has ever begun a call into the LND, except threads that {@link #check} found exited. */
    boolean isEmpty() {
        return known.isEmpty();
    }

    /**
     * Passes the queued tasks of threads that exited before {@code endCall} to the worker threads. Logs the name of a
     * thread whose long call into the LND delays tasks. {@link ThreadRuntime} must call this method once per {@link
     * #CHECK_NANOS}. This method reads the call counts of other threads without a lock, so it may log a long call late.
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
     * Contains, for one thread, the number of tasks on its call stack, and the number of its calls into the LND in
     * progress. Also contains the tasks that are queued until {@code endCall()}. A thread changes only its own {@code
     * Nesting}.
     */
    static final class Nesting {
        /** A weak reference, so that this object does not prevent the garbage collection of an ended thread. */
        private final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());

        private final String name = Thread.currentThread().getName();

        /** The number of tasks on the thread's call stack. If one task runs another task, the number is at least 2. */
        int depth;

        /** The number of {@code beginCall()} calls of the thread without a matching {@code endCall()}. */
        int calls;

        /**
         * Tasks that only this thread may run until its outermost {@code endCall()} returns; empty outside of calls into
         * the LND.
         */
        final TaskFifo kept = new TaskFifo();

        /**
         * Tasks that the thread's calls into the LND have scheduled for the worker threads. The worker threads get these
         * tasks only after {@code endCall()}, because the tasks write to memory that the call into the LND uses.
         */
        final TaskFifo forOthers = new TaskFifo();

        /** The number of calls into the LND that the thread has begun, excluding nested calls. */
        private long serial;

        private boolean known;

        // Only the thread that runs Calls.check uses the fields seen and named.
        private long seen;
        private long named;

        private int tasks() {
            return kept.size() + forOthers.size();
        }

        /**
         * Returns whether the thread's call into the LND began before the last {@link Calls#check} and has queued tasks.
         * Returns true at most once for each outermost {@code beginCall()} of the thread.
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
