// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

/** The functions of a runtime that a {@link RuntimeTask} needs. */
interface TaskHost {
    /**
     * The maximum depth of nested inline runs in one thread. For example, a sender runs the receiver of its packet inline,
     * and the receiver's answer runs the sender inline.
     */
    int MAX_NESTING = 4;

    /**
     * Appends a task, which must not be in a queue, to the queue of the calling thread's call or to that of the runtime.
     * Never allocates.
     */
    void enqueue(RuntimeTask task);

    /**
     * Begins an inline run in the calling thread. Returns false if too many inline runs are nested or the runtime is closed.
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
                        + " wait; return instead, and continue when the next one is called");
    }
}
