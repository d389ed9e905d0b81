package dev.verbena.sim.runtime;

/** What a {@link RuntimeTask} needs from its runtime. */
interface TaskHost {
    /** How deep inline runs may nest in one thread: a send that makes its receiver answer, and so on. */
    int MAX_NESTING = 4;

    /** Puts a task at the back of a queue, the runtime's or that of the call that the thread is in; it is in none yet. Never allocates. */
    void enqueue(RuntimeTask task);

    /** Begins a run in the calling thread. False if that would nest too deep or the runtime is closed. */
    boolean tryEnter();

    /** Ends what {@link #tryEnter()} began. */
    void exit();

    /** Reports what a task threw. Does not throw itself. */
    void failed(Throwable thrown);

    /** What a thread gets that ends a call which it has not begun. */
    static IllegalStateException noCall() {
        return new IllegalStateException("endCall() was called where no call has begun; call beginCall() first");
    }

    /** What a task, alarm, handler or call gets that waits. */
    static IllegalStateException refusedWait() {
        return new IllegalStateException(
                "await() was called from a task, alarm, handler or call of this runtime, which may not"
                        + " wait; return instead, and go on when the next one is called");
    }
}
