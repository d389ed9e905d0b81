package dev.verbena.sim.runtime;

/**
 * A task that is serial with itself and never misses a wake-up: rxe_task. States IDLE, BUSY, ARMED (scheduled again
 * while running), DRAINED. A run repeats its pass until that says there is nothing more, but at most
 * {@link #MAX_ITERATIONS} times; then it goes to the back of the queue, so that one queue pair cannot starve the
 * others.
 */
public interface ProgressTask {
    /** How many passes one run may make: {@code RXE_MAX_ITERATIONS}. */
    int MAX_ITERATIONS = 1024;

    /** Asks for a run soon, on a thread of the runtime, or where the call ends that the calling thread is in. */
    void schedule();

    /**
     * Runs in the calling thread if the task is idle and inline progress is possible here; otherwise as
     * {@link #schedule()}. The caller may hold no lock that a pass or a packet's receiver takes.
     */
    void run();

    /**
     * Begins a run in the calling thread if the task is idle and inline progress is possible here. The caller then is what no
     * pass runs beside, and has to call {@link #finish()} or {@link #end()}.
     *
     * @return false if nothing was begun
     */
    boolean tryBegin();

    /** Makes the passes of the run that {@link #tryBegin()} began, at least one, and ends it. */
    void finish();

    /** Ends the run that {@link #tryBegin()} began, with passes only if they were asked for meanwhile. */
    void end();

    /**
     * Tells whether the calling thread is in a run of this task, perhaps because what a pass sent came back.
     *
     * @return true if no other thread runs it, and the pass that is under way goes on after the caller returns
     */
    boolean isRunningHere();

    /** Prevents runs, and returns when none is in progress (but for the one that calls this). Scheduling is ignored. */
    void disable();

    /** Allows runs again. */
    void enable();
}
