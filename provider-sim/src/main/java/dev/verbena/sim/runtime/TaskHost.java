// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** The functions that a {@link RuntimeTask} needs from its runtime. */
interface TaskHost {
    /**
     * The maximum number of tasks on the call stack of one thread. For example, the send task of a queue pair can run the
     * peer's receive task in the same thread. The peer's receive task can then run further tasks in this thread.
     */
    int MAX_NESTING = 4;

    /**
     * Appends a task to the queue of the runtime, or to a queue of the calling thread if {@code enqueue} is called
     * between {@code beginCall} and {@code endCall}. The task must be in no queue. Never allocates.
     */
    void enqueue(RuntimeTask task);

    /**
     * A thread must call this method before it runs a task. Returns false if {@link #MAX_NESTING} tasks are on the thread's
     * call stack, or the {@link SimRuntime} is closed.
     */
    boolean tryEnter();

    void exit();

    /** Reports an exception of a task. Does not throw. */
    void failed(Throwable thrown);

    /** Makes the exception for a call of {@code CallerRuns.endCall} without {@code beginCall}. */
    static IllegalStateException noCall() {
        return new IllegalStateException("endCall() was called where no call has begun; call beginCall() first");
    }

    /** Makes the exception for a task, timer, application handler or call into the LND that tries to wait. */
    static IllegalStateException refusedWait() {
        return new IllegalStateException(
                "await() was called from a task, alarm, handler or call of this runtime, which may not"
                        + " wait; return instead, and continue in the next call of a task or handler");
    }
}
