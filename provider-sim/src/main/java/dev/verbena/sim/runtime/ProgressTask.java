// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * A task that is <b>serial</b> with itself, with <b>no lost wake-up</b>: {@code rxe_task}. A task that is scheduled
 * while it runs makes another pass. A run repeats its pass until the pass reports that no work is
 * left, but at most {@link #MAX_ITERATIONS} times. Then the task moves to the end of the queue, so that one queue pair
 * cannot starve the others.
 *
 * <p><b>Flush before reading.</b> The thread that has begun a run may {@linkplain #park() park} the task and leave
 * deferred state. The next run writes that state back before its first pass. The exception is a run that the same owner
 * {@linkplain #tryUnpark() resumes}: it knows that no other thread has run the task since.
 *
 * <p>A single subclass is loaded, so that calls need not load the object's class. With many queue pairs that load would
 * be a cache miss.
 */
public abstract class ProgressTask extends CacheLinePadded {
    /** The most passes of one run: {@code RXE_MAX_ITERATIONS}. */
    public static final int MAX_ITERATIONS = 1024;

    /** Only runtimes make subclasses. */
    ProgressTask() {}

    /** Requests a run soon, on a thread of the runtime, or at the end of the call that the calling thread is in. */
    public abstract void schedule();

    /**
     * Runs in the calling thread if the task is idle and inline progress is possible here; otherwise acts as {@link
     * #schedule()}. The caller must not hold a lock that a pass or a packet's receiver takes.
     */
    public abstract void run();

    /**
     * Begins a run in the calling thread if the task is idle and inline progress is possible here. The caller then owns
     * the task: no pass runs at the same time. The caller must call {@link #finish()}, {@link #end()} or {@link
     * #park()}.
     *
     * @return false if no run was begun
     */
    public abstract boolean tryBegin();

    /**
     * Sets the code that writes back the deferred state of {@link #park()}. To be called once, before the first run.
     *
     * @param deferredFlush runs as a pass does, never at the same time as one
     */
    public abstract void setDeferredFlush(Runnable deferredFlush);

    /**
     * Begins a run as {@link #tryBegin()} does, but only if the task is parked. The deferred state stays as it is.
     * Before a pass the caller must write that state back itself, or it must park the task again.
     *
     * @return false if no run was begun
     */
    public abstract boolean tryUnpark();

    /**
     * Ends the run that {@link #tryBegin()} or {@link #tryUnpark()} began, and parks the task with its deferred state.
     * If passes were requested meanwhile, writes the state back at once and makes the passes.
     *
     * @return true if the task is parked, false if the deferred state was written back
     */
    public abstract boolean park();

    /**
     * Returns whether a pass was requested since the current run began in this thread, or whether the task was
     * disabled.
     *
     * @return true if the thread that has begun the run should end it
     */
    public abstract boolean isRunRequested();

    /**
     * Writes back the deferred state, so that the calling thread sees it. If another thread runs the task, this
     * requests a pass, before which the state is written back, and waits for the end of that run. The wait is bounded,
     * because the other thread may have lost its processor. Callable from any thread.
     */
    public abstract void flushDeferred();

    /**
     * Makes the passes of the run that {@link #tryBegin()} or {@link #tryUnpark()} began, at least one, and ends the
     * run.
     */
    public abstract void finish();

    /**
     * Ends the run that {@link #tryBegin()} or {@link #tryUnpark()} began. Makes passes only if they were requested
     * meanwhile.
     */
    public abstract void end();

    /**
     * Returns whether the calling thread is in a run of this task, for example because an answer to a packet that a
     * pass sent arrived in the same thread.
     *
     * @return true if no other thread runs the task, and the current pass continues after the caller returns
     */
    public abstract boolean isRunningHere();

    /**
     * Prevents runs, and returns when none is in progress, except for a run that makes this call. Requests for runs are
     * ignored.
     */
    public abstract void disable();

    /** Permits runs again. */
    public abstract void enable();
}
