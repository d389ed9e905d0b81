package dev.verbena.sim.runtime;

/**
 * A task that is serial with itself and never misses a wake-up: rxe_task. States IDLE, BUSY, ARMED (scheduled again
 * while running), DRAINED. A run repeats its pass until that says there is nothing more, but at most
 * {@link #MAX_ITERATIONS} times; then it goes to the back of the queue, so that one queue pair cannot starve the
 * others.
 *
 * <p>Who has begun a run may leave something over for later and {@linkplain #keep() keep} the task: then the next run settles that
 * before its first pass, unless the same one {@linkplain #tryResume() resumes} it, and so knows that nobody has run it since.
 *
 * <p>A class, of which one kind is loaded, is called without a look at which kind it is; with many queue pairs that is a load from
 * memory.
 */
public abstract class ProgressTask extends OwnLine {
    /** How many passes one run may make: {@code RXE_MAX_ITERATIONS}. */
    public static final int MAX_ITERATIONS = 1024;

    /** For the runtimes. */
    ProgressTask() {}

    /** Asks for a run soon, on a thread of the runtime, or where the call ends that the calling thread is in. */
    public abstract void schedule();

    /**
     * Runs in the calling thread if the task is idle and inline progress is possible here; otherwise as
     * {@link #schedule()}. The caller may hold no lock that a pass or a packet's receiver takes.
     */
    public abstract void run();

    /**
     * Begins a run in the calling thread if the task is idle and inline progress is possible here. The caller then is what no
     * pass runs beside, and has to call {@link #finish()}, {@link #end()} or {@link #keep()}.
     *
     * @return false if nothing was begun
     */
    public abstract boolean tryBegin();

    /**
     * Says what settles that which was left over by {@link #keep()}. To be called once, before the first run.
     *
     * @param settling runs as a pass does, beside none
     */
    public abstract void settleBy(Runnable settling);

    /**
     * Begins a run as {@link #tryBegin()} does, but only if the last one was kept: nothing is settled, and it is still as it was
     * left. The caller has to settle that itself before a pass, or to keep the task again.
     *
     * @return false if nothing was begun
     */
    public abstract boolean tryResume();

    /**
     * Ends the run that {@link #tryBegin()} or {@link #tryResume()} began, and leaves over what it has not done. If passes were
     * asked for meanwhile this settles it at once, and makes them.
     *
     * @return false if it is settled
     */
    public abstract boolean keep();

    /**
     * Tells whether a pass was asked for since the run began that is under way in this thread, or none will be made any more.
     *
     * @return true if who has begun it by {@link #tryBegin()} or {@link #tryResume()} had better end it
     */
    public abstract boolean isAskedFor();

    /**
     * Settles what is left over, so that the calling thread sees it. If another thread runs the task this asks for a pass, before which
     * it is settled, and waits for some time until that run has ended; no longer, as the thread may have lost its processor. For any
     * thread.
     */
    public abstract void settle();

    /** Makes the passes of the run that {@link #tryBegin()} or {@link #tryResume()} began, at least one, and ends it. */
    public abstract void finish();

    /** Ends the run that {@link #tryBegin()} or {@link #tryResume()} began, with passes only if they were asked for meanwhile. */
    public abstract void end();

    /**
     * Tells whether the calling thread is in a run of this task, perhaps because what a pass sent came back.
     *
     * @return true if no other thread runs it, and the pass that is under way goes on after the caller returns
     */
    public abstract boolean isRunningHere();

    /** Prevents runs, and returns when none is in progress (but for the one that calls this). Scheduling is ignored. */
    public abstract void disable();

    /** Allows runs again. */
    public abstract void enable();
}
