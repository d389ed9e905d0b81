// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** The functions that a {@link RuntimeTask} needs from its runtime. */
interface TaskHost {
    /**
     * The maximum number of tasks that run nested in one thread. For example, a sender's task can run the receiver's task
     * in the same thread. The receiver's task can also run other tasks in this thread.
     */
    int MAX_NESTING = 4;

    /**
     * Appends a task to the queue of the runtime, or to a queue of the calling thread if {@code enqueue} is called
     * between {@code beginCall} and {@code endCall}. The task must be in no queue. Never allocates.
     */
    void enqueue(RuntimeTask task);

    /**
     * A thread must call this method before it runs a task. Returns false if {@link #MAX_NESTING} tasks already run
     * nested in the thread, or the runtime is closed.
     */
    boolean tryEnter();

    void exit();

    /** Reports an exception of a task. Does not throw. */
    void failed(Throwable thrown);

    /** Makes the exception for a thread that ends a call without having begun a call. */
    static IllegalStateException noCall() {
        return new IllegalStateException("endCall() was called where no call has begun; call beginCall() first");
    }

    /** Makes the exception for a task, alarm, handler or call that tries to wait. */
    static IllegalStateException refusedWait() {
        return new IllegalStateException(
                "await() was called from a task, alarm, handler or call of this runtime, which may not"
                        + " wait; return instead, and continue in the next call of a task or handler");
    }
}
