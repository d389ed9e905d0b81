// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/**
 * A task that calls a function when it is scheduled; the counterpart of {@code rxe_task}. The task's function is a {@link
 * SimRuntime.Pass}. Only the <b>owner</b> of a task, at most one thread at a time, may call the task's function
 * (<b>serial</b>). If a task is scheduled while it runs, the task calls its function once more (<b>no lost wake-up</b>). A
 * task calls its function repeatedly until the function returns false. After {@link #MAX_ITERATIONS} calls the task moves
 * to the end of the queue of tasks, so that one queue pair cannot starve other queue pairs.
 *
 * <p><b>Flush before reading.</b> By {@link #park()}, the owner of a send or receive task may defer writing the new PSNs,
 * MSN and diagnostic data to the queue pair. The next owner of the task writes these deferred values before it calls the
 * task's function. The method {@link #tryUnpark()} makes the calling thread the owner, but does not write them.
 *
 * <p>The JVM loads only one subclass of this class, so compiled code calls a task's method without reading the class of the
 * task. If a device has many queue pairs, each read of a task object's class would cost a cache miss.
 */
public abstract class ProgressTask extends CacheLinePadded {
    /** The maximum number of calls of a task's function in one execution, as {@code RXE_MAX_ITERATIONS} in rxe. */
    public static final int MAX_ITERATIONS = 1024;

    /** Makes a task. Only runtimes have subclasses. */
    ProgressTask() {}

    /**
     * Requests an execution of the task by a thread of the {@link SimRuntime}. If the calling thread is between {@code
     * CallerRuns.beginCall} and {@code CallerRuns.endCall}, it may run the task in {@code endCall}.
     */
    public abstract void schedule();

    /**
     * Runs the task in the calling thread if the task is idle, the {@link SimRuntime} is open, and fewer than {@code
     * TaskHost.MAX_NESTING} tasks are on the thread's call stack. Otherwise acts as {@link #schedule()}. The caller must
     * not hold a lock that the task's function or a {@code PacketReceiver} acquires.
     */
    public abstract void run();

    /**
     * If {@link #run()} would run this task in the calling thread, makes the calling thread the owner of the task. No other
     * thread calls the task's function until the owner calls {@link #finish()}, {@link #end()} or {@link #park()}.
     *
     * @return true if the calling thread became the owner of the task, so that no other thread may run it
     */
    public abstract boolean tryBegin();

    /**
     * Sets the function that writes the deferred PSNs and diagnostic data to the queue pair after {@link #park()}. The
     * creator of a task that can be parked must call this method once, before the first execution of the task.
     *
     * @param deferredFlush the function that writes the deferred PSNs and diagnostic data; never called while the task's
     *     function runs
     */
    public abstract void setDeferredFlush(Runnable deferredFlush);

    /**
     * Makes the calling thread the owner of the task, if since {@link #park()} no thread has run, scheduled or disabled the
     * task, or called {@code flushDeferred}. Unlike {@link #tryBegin()}, {@code tryUnpark} does not write the deferred PSNs
     * and diagnostic data to the queue pair. Before the task's function runs, the caller must write the deferred PSNs, or
     * call {@link #park()} again.
     *
     * @return true if the calling thread became the owner of the task, so that no other thread may run it
     */
    public abstract boolean tryUnpark();

    /**
     * Ends the calling thread's exclusive right to run the task, and defers writing the new PSNs and diagnostic data to the
     * queue pair. If {@link #schedule()} was called while the thread owned the task, this method writes the PSNs and
     * diagnostic data and calls the task's function.
     *
     * @return true if the new PSNs and diagnostic data stay deferred, false if this method has written them
     */
    public abstract boolean park();

    /**
     * Returns whether {@link #schedule()} or {@link #disable()} was called since the caller became the owner of the task.
     *
     * @return true if the thread that owns the task should call {@link #finish()}, {@link #end()} or {@link #park()}
     */
    public abstract boolean isRunRequested();

    /**
     * Writes the deferred PSNs and diagnostic data of a parked task to the queue pair. Does nothing if the calling thread
     * owns the task. If another thread owns the task, this method calls {@link #schedule()} and waits until that thread has
     * written the PSNs. The wait is bounded, because the operating system may have preempted the owner of the task. After
     * the maximum wait, the PSNs in the queue pair may still be out of date. Any thread may call this method.
     */
    public abstract void flushDeferred();

    /**
     * If the task was scheduled before this call and has not run since, runs the task. If another thread is running the
     * task, this method waits, at most about one second, until that execution has ended. Has no effect if the calling
     * thread owns this task, if this task is disabled, or if {@code TaskHost.MAX_NESTING} tasks are on the thread's call
     * stack. The caller must not hold a lock that the task's function or a {@code PacketReceiver} acquires.
     */
    public abstract void awaitRequestedRun();

    /** Calls the task's function at least once, and then ends the calling thread's exclusive right to run the task. */
    public abstract void finish();

    /** If the task was scheduled, calls its function. Then ends the calling thread's exclusive right to run the task. */
    public abstract void end();

    /**
     * Returns whether the calling thread owns this task. For example, the task's function sends a packet, and the response
     * packet arrives in the same thread.
     *
     * @return true if the calling thread owns this task, so that no other thread may run the task
     */
    public abstract boolean isRunningHere();

    /**
     * Prevents further executions of the task, and waits until an execution in progress has ended. If the task itself calls
     * {@code disable}, the call does not wait. A call of {@link #schedule()} on a disabled task has no effect.
     */
    public abstract void disable();

    /** Permits the task to run again after {@link #disable()}. */
    public abstract void enable();
}
