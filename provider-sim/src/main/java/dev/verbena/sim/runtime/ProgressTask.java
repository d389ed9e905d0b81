// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * A task whose passes never overlap (it is <b>serial</b>) and whose requests are never lost (<b>no lost wake-up</b>), like
 * {@code rxe_task}. A task that is scheduled while it runs makes another pass. A run repeats the pass until the pass reports
 * that no work is left, at most {@link #MAX_ITERATIONS} times. After this number of passes the task moves to the end of the
 * queue, so that one queue pair cannot starve other queue pairs.
 *
 * <p><b>Flush before reading.</b> The owner of a run may park the task (see {@link #park()}) before it has written back its
 * results, the deferred state. The next run writes the deferred state back before its first pass. A run that the same owner
 * resumes by {@link #tryUnpark()} keeps the deferred state, because no other thread has run the task since.
 *
 * <p>Only one subclass is loaded, so that calls need not read the object's class. With many queue pairs reading the class would
 * be a cache miss.
 */
public abstract class ProgressTask extends CacheLinePadded {
    /** The maximum number of passes in one run, as {@code RXE_MAX_ITERATIONS} in rxe. */
    public static final int MAX_ITERATIONS = 1024;

    /** Makes a task. Only runtimes have subclasses. */
    ProgressTask() {}

    /**
     * Requests a run of the task by a thread of the runtime. If the calling thread is in a {@code CallerRuns} call, it may
     * run the task itself at the end of the call.
     */
    public abstract void schedule();

    /**
     * Runs the task in the calling thread if the task is idle and an inline run is possible here; otherwise acts as
     * {@link #schedule()}. The caller must not hold a lock that a pass or a packet's receiver acquires.
     */
    public abstract void run();

    /**
     * Begins a run in the calling thread if the task is idle and an inline run is possible here. The caller then owns the task,
     * no pass runs concurrently, and the caller must call {@link #finish()}, {@link #end()} or {@link #park()}.
     *
     * @return whether a run was begun
     */
    public abstract boolean tryBegin();

    /**
     * Sets the code that writes back the deferred state of {@link #park()}. The owner of the task must call this method once,
     * before the first run.
     *
     * @param deferredFlush the code that writes the deferred state back; it never runs concurrently with a pass
     */
    public abstract void setDeferredFlush(Runnable deferredFlush);

    /**
     * Begins a run as {@link #tryBegin()} does, but only if the task is parked. The deferred state stays. Before a pass the
     * caller must write the deferred state back or park the task again.
     *
     * @return whether a run was begun
     */
    public abstract boolean tryUnpark();

    /**
     * Ends the run that {@link #tryBegin()} or {@link #tryUnpark()} began, and parks the task with its deferred state. If
     * another thread has requested passes during the run, this call writes the deferred state back and makes the requested
     * passes.
     *
     * @return true if the task is parked, false if the deferred state was written back
     */
    public abstract boolean park();

    /**
     * Returns whether a pass was requested since the current run began in this thread, or the task was disabled.
     *
     * @return true if the thread that has begun the run should end it
     */
    public abstract boolean isRunRequested();

    /**
     * Writes back the deferred state, so that the calling thread sees it. If another thread runs the task, this call requests a
     * pass and waits for the end of the run. The pass first writes the deferred state back. The wait for the end of the run is
     * bounded, because the other thread may have lost its processor. Any thread may call this method.
     */
    public abstract void flushDeferred();

    /** Ends the run that {@link #tryBegin()} or {@link #tryUnpark()} began, after at least one pass. */
    public abstract void finish();

    /**
     * Ends the run that {@link #tryBegin()} or {@link #tryUnpark()} began. This call makes passes only if another thread has
     * requested them during the run.
     */
    public abstract void end();

    /**
     * Returns whether the calling thread is in a run of this task. For example, a pass sends a packet, and the response to this
     * packet arrives in the same thread.
     *
     * @return true if no other thread runs the task, and the current pass continues after the caller returns
     */
    public abstract boolean isRunningHere();

    /**
     * Prevents further runs of the task, and waits for the end of a run in progress, unless this run makes the call. Later
     * requests for runs are ignored.
     */
    public abstract void disable();

    /** Permits runs after {@link #disable()}. */
    public abstract void enable();
}
