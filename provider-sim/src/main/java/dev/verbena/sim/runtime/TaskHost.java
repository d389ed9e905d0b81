// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** The functions that a {@link RuntimeTask} needs from its runtime. */
interface TaskHost {
    /**
     * The maximum depth of nested inline runs in one thread: a send runs its receiver inline, the answer runs the
     * sender, and so on.
     */
    int MAX_NESTING = 4;

    /**
     * Appends a task to a queue: the runtime's, or that of the call that the thread is in. The task must not be in a
     * queue. Never allocates.
     */
    void enqueue(RuntimeTask task);

    /** Begins a run in the calling thread. False if the nesting would be too deep, or if the runtime is closed. */
    boolean tryEnter();

    /** Ends the run that {@link #tryEnter()} began. */
    void exit();

    /** Reports an exception from a task. Does not throw. */
    void failed(Throwable thrown);

    /** Makes the exception for a thread that ends a call without having begun one. */
    static IllegalStateException noCall() {
        return new IllegalStateException("endCall() was called where no call has begun; call beginCall() first");
    }

    /** Makes the exception for a task, alarm, handler or call that waits. */
    static IllegalStateException refusedWait() {
        return new IllegalStateException(
                "await() was called from a task, alarm, handler or call of this runtime, which may not"
                        + " wait; return instead, and continue when the next one is called");
    }
}
