// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * A task that runs its code when it is scheduled; the counterpart of {@code rxe_task}. The code is a
 * {@link SimRuntime.Pass}. Two threads never call the code of a task at the same time (the task is <b>serial</b>), and
 * no request for a run is lost (<b>no lost wake-up</b>). If a task is scheduled while it runs, the task calls its code
 * once more. A task repeats its code until the code reports that no work is left. After {@link #MAX_ITERATIONS}
 * repetitions the task moves to the end of the queue of tasks, so that one queue pair cannot starve other queue pairs.
 *
 * <p><b>Flush before reading.</b> The owner of a send or receive task may postpone updates of the queue pair's state, such
 * as PSNs, by {@link #park()}. The next thread that owns the task makes the postponed updates before it calls the task's
 * code. The method {@link #tryUnpark()} makes a thread the owner of the task, but does not make the postponed updates.
 *
 * <p>The JVM loads only one subclass of this class, so compiled code calls a task's method without reading the class of the
 * task. If a device has many queue pairs, each read of a task object's class would cost a cache miss.
 */
public abstract class ProgressTask extends CacheLinePadded {
    /** The maximum number of times that a task repeats its code, as {@code RXE_MAX_ITERATIONS} in rxe. */
    public static final int MAX_ITERATIONS = 1024;

    /** Makes a task. Only runtimes have subclasses. */
    ProgressTask() {}

    /**
     * Requests a run of the task by a thread of the runtime. If the calling thread is between
     * {@code CallerRuns.beginCall} and {@code CallerRuns.endCall}, it may run the task in {@code endCall}.
     */
    public abstract void schedule();

    /**
     * Runs the task in the calling thread if the task is idle, the runtime is open, and fewer than {@code
     * TaskHost.MAX_NESTING} tasks run nested in the thread. Otherwise acts as {@link #schedule()}. If the code of this task
     * or a packet receiver acquires a lock, the caller must not hold this lock.
     */
    public abstract void run();

    /**
     * Makes the calling thread the owner of this task, if {@link #run()} would run this task in the calling thread. No
     * other thread calls the task's code until the owner calls {@link #finish()}, {@link #end()} or {@link #park()}.
     *
     * @return whether the calling thread became the owner of the task
     */
    public abstract boolean tryBegin();

    /**
     * Sets the function that updates the queue pair with the values that {@link #park()} has deferred. The task's creator
     * must call this method once, before the first run of the task.
     *
     * @param deferredFlush the function that writes the deferred values, never called while the task's code runs
     */
    public abstract void setDeferredFlush(Runnable deferredFlush);

    /**
     * Makes the calling thread the owner of the task, if {@link #park()} has postponed updates and no thread owns the task.
     * Unlike {@link #tryBegin()}, {@code tryUnpark} does not make the updates that {@link #park()} has postponed. Before
     * the task's code runs, the caller must make the postponed updates of the queue pair, or call {@link #park()} again.
     *
     * @return whether the calling thread became the owner of the task
     */
    public abstract boolean tryUnpark();

    /**
     * Ends the calling thread's ownership of the task, and postpones the thread's pending updates of the queue pair's
     * state. If {@link #schedule()} was called while the thread owned the task, this method makes the pending updates
     * and runs the task's code.
     *
     * @return true if the updates of the queue pair's state are postponed, false if this method has made the updates
     */
    public abstract boolean park();

    /**
     * Returns whether {@link #schedule()} or {@link #disable()} was called since the calling thread began to own the task.
     *
     * @return true if the calling thread should end its ownership by {@link #finish()}, {@link #end()} or {@link #park()}
     */
    public abstract boolean isRunRequested();

    /**
     * Writes to the queue pair the values that {@link #park()} has deferred, so that the calling thread sees these values.
     * If another thread owns the task, this method calls {@link #schedule()} and waits. The wait ends when the owner has
     * written the deferred values. The wait is bounded, because the scheduler may have preempted the owner of the task.
     * After the maximum wait, the owner may not yet have written the deferred values. Any thread may call this method.
     */
    public abstract void flushDeferred();

    /**
     * If a run of the task was requested before this call, executes the run. If another thread runs the task, this
     * method waits at most about one second until that thread has ended its run. Has no effect if the calling thread
     * owns this task, if this task is disabled, or if {@code TaskHost.MAX_NESTING} tasks already run nested in the
     * thread. The caller must not hold a lock that the code of this task or a packet's receiver acquires.
     */
    public abstract void awaitRequestedRun();

    /** Calls the task's code at least once, and then ends the calling thread's ownership of the task. */
    public abstract void finish();

    /** Ends the calling thread's ownership of the task. Calls the task's code only if {@link #schedule()} was called before. */
    public abstract void end();

    /**
     * Returns whether the calling thread owns this task, for example because the task's code sends a packet whose
     * response arrives in the same thread.
     *
     * @return true if the calling thread owns this task
     */
    public abstract boolean isRunningHere();

    /**
     * Prevents further runs of the task, and waits for the end of a run in progress. If the task itself calls
     * {@code disable}, the call does not wait. A call of {@link #schedule()} on a disabled task has no effect.
     */
    public abstract void disable();

    /** Permits the task to run again after {@link #disable()}. */
    public abstract void enable();
}
