// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import dev.verbena.verbs.VerbsRuntime;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A task of {@link ThreadRuntime} or {@link VirtualRuntime}. Like {@code rxe_task}, each task has a state word. The state
 * word is a set of bits, because a disabled task may still be queued. The bits represent the states of {@code rxe_task}:
 *
 * <pre>
 * IDLE      no bit, or QUEUED after a run that made the queued run unnecessary
 * BUSY      WANTED and QUEUED, waiting for a thread; or RUNNING
 * ARMED     RUNNING and WANTED
 * DRAINING  RUNNING and DISABLED
 * DRAINED   DISABLED
 * </pre>
 *
 * <p>The state bit PARKED may be set together with any state bit except RUNNING. PARKED means that {@link #park()} has
 * deferred writing the new PSNs and diagnostic data to the queue pair.
 *
 * <p>The thread that sets RUNNING owns the task, and alone may run it, until this thread clears RUNNING. The thread that
 * sets the bit QUEUED adds the task to the runtime's queue, and only the thread that removes the task from this queue
 * clears QUEUED. A task is never twice in the runtime's queue, and never run by two threads at the same time.
 */
final class RuntimeTask extends ProgressTask implements VerbsRuntime.SerialTask {
    private static final int RUNNING = 1;
    private static final int WANTED = 2;
    private static final int QUEUED = 4;
    private static final int DISABLED = 8;
    private static final int PARKED = 16;

    /**
     * The number of times that a thread in {@link #flushDeferred()} checks whether another thread still runs the task. After
     * {@link #SPINS} checks, the thread yields between checks.
     */
    private static final int MOST_LOOKS = 2_000;

    private static final int SPINS = 1_000;

    /**
     * A thread in {@link #awaitRequestedRun()} checks at most {@code MOST_WAITS} times whether another thread still runs
     * the task. After {@link #SPINS} checks, the thread parks for {@link #PAUSE_NANOS} between two checks. The thread that
     * runs the task may stay preempted for many milliseconds.
     */
    private static final int MOST_WAITS = SPINS + 20_000;

    private static final long PAUSE_NANOS = 50_000;

    private static final System.Logger LOGGER = System.getLogger(RuntimeTask.class.getName());

    /** The value of {@link #runner} while no thread runs this {@code RuntimeTask}. */
    private static final long NOBODY = 0;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(RuntimeTask.class, "state", int.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private final TaskHost host;
    private final SimRuntime.Pass pass;

    /** The task after this task in a {@link TaskFifo}. Only {@link TaskFifo} accesses this field. */
    @Nullable RuntimeTask next;

    /** The {@link SimRuntime.Pass} or {@link Runnable} of this task; log messages contain its class name. */
    private final Object owner;

    private Runnable deferredFlush = () -> {};

    /**
     * True if this task calls no application code, such as a completion handler. In {@code CallerRuns.endCall}, the calling
     * thread may run only tasks whose {@code inner} is true.
     */
    private final boolean inner;

    private volatile int state;

    /**
     * The id of the thread that has set RUNNING. A thread that does not run this task may read the id of an earlier runner,
     * but never its own id. The field stores an id and not a reference, because storing a reference also writes to the
     * garbage collector's card table.
     */
    private long runner;

    RuntimeTask(TaskHost host, SimRuntime.Pass pass, boolean inner) {
        this(host, pass, pass, inner);
    }

    private RuntimeTask(TaskHost host, SimRuntime.Pass pass, Object owner, boolean inner) {
        this.host = host;
        this.pass = pass;
        this.owner = owner;
        this.inner = inner;
    }

    /** Makes a task that calls application code. */
    static RuntimeTask once(TaskHost host, Runnable body) {
        return once(host, body, false);
    }

    static RuntimeTask once(TaskHost host, Runnable body, boolean inner) {
        SimRuntime.Pass pass = () -> {
            body.run();
            return false;
        };
        return new RuntimeTask(host, pass, body, inner);
    }

    /** Returns the class name of the function of a task or timer; for a lambda, the name of the enclosing class. */
    static String nameOf(Object code) {
        String name = code.getClass().getName();
        int hidden = name.indexOf("$$");
        return hidden < 0 ? name : name.substring(0, hidden);
    }

    boolean isInner() {
        return inner;
    }

    String name() {
        return "task of " + nameOf(owner);
    }

    @Override
    public void schedule() {
        while (true) {
            int seen = state;
            int wanted = wanted(seen);
            // `schedule()` executes the compare-and-set even if the new state `wanted` equals the old state `seen`. The
            // compare-and-set makes the caller's earlier writes visible to the thread that runs the task.
            if (STATE.compareAndSet(this, seen, wanted)) {
                enqueueIfNew(seen, wanted);
                return;
            }
        }
    }

    private static int wanted(int seen) {
        if ((seen & (DISABLED | WANTED)) != 0) {
            return seen;
        }
        return (seen & RUNNING) != 0 ? seen | WANTED : seen | WANTED | QUEUED;
    }

    @Override
    public void run() {
        if (tryBegin()) {
            finish();
        } else {
            schedule();
        }
    }

    @Override
    public boolean tryBegin() {
        int seen = state;
        return (seen & (RUNNING | WANTED | DISABLED)) == 0 && tryBeginFlushed(seen);
    }

    private boolean tryBeginFlushed(int seen) {
        boolean begins = tryBegin(seen);
        if (begins && (seen & PARKED) != 0) {
            flushLeftOver();
        }
        return begins;
    }

    private boolean tryBegin(int seen) {
        if (!host.tryEnter()) {
            return false;
        }
        if (!STATE.compareAndSet(this, seen, begun(seen))) {
            host.exit();
            return false;
        }
        runner = Thread.currentThread().threadId();
        return true;
    }

    private static int begun(int seen) {
        return (seen & ~(PARKED | WANTED)) | RUNNING;
    }

    @Override
    public void setDeferredFlush(Runnable how) {
        deferredFlush = how;
    }

    @Override
    public boolean tryUnpark() {
        int seen = state;
        return (seen & (RUNNING | WANTED | DISABLED | PARKED)) == PARKED && tryBegin(seen);
    }

    @Override
    public boolean park() {
        int seen = state;
        boolean parked = false;
        if ((seen & (WANTED | DISABLED)) == 0) {
            runner = NOBODY;
            parked = STATE.compareAndSet(this, seen, (seen & ~RUNNING) | PARKED);
        }
        if (parked) {
            host.exit();
        } else {
            runner = Thread.currentThread().threadId();
            flushLeftOver();
            end();
        }
        return parked;
    }

    @Override
    public boolean isRunRequested() {
        return (state & (WANTED | DISABLED)) != 0;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Yielding only helps other threads; correctness does not depend on it.
    public void flushDeferred() {
        for (int looks = 0; looks < MOST_LOOKS && !isRunningHere(); looks++) {
            int seen = state;
            if ((seen & RUNNING) == 0 && ((seen & PARKED) == 0 || tryFlushDeferred(seen))) {
                return;
            }
            if (looks == 0) {
                // After schedule(), the next park() of the thread that runs the task writes the deferred PSNs to the
                // queue pair. Without this call of schedule(), the next park() could defer writing the PSNs again.
                schedule();
            }
            if (looks < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    /** Calls {@code deferredFlush} of a task with the bit PARKED, even if it is disabled. Does not call {@code pass}. */
    private boolean tryFlushDeferred(int seen) {
        boolean begins = STATE.compareAndSet(this, seen, (seen & ~PARKED) | RUNNING);
        if (begins) {
            runner = Thread.currentThread().threadId();
            flushLeftOver();
            continues(false, false);
        }
        return begins;
    }

    @Override
    public void awaitRequestedRun() {
        for (int looks = 0; looks < MOST_WAITS && !isRunningHere(); looks++) {
            int seen = state;
            if ((seen & DISABLED) != 0 || (seen & (RUNNING | WANTED)) == 0) {
                return;
            }
            if ((seen & RUNNING) == 0) {
                if (tryBeginFlushed(seen)) {
                    finish();
                    return;
                }
                if (state == seen) {
                    return; // The `SimRuntime` is closed, or `MAX_NESTING` tasks are on this thread's call stack.
                }
            } else if (looks < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public void finish() {
        makePasses();
        host.exit();
    }

    @Override
    public void end() {
        if (continues(false, true)) {
            makePasses();
        }
        host.exit();
    }

    @Override
    public boolean isRunningHere() {
        return runner == Thread.currentThread().threadId();
    }

    /** Runs this task, which the calling thread has just dequeued, if an execution is still requested. */
    void runQueued() {
        if (!host.tryEnter()) {
            return;
        }
        if (leaveQueue()) {
            makePasses();
        }
        host.exit();
    }

    private boolean leaveQueue() {
        while (true) {
            int seen = state;
            boolean begins = (seen & (RUNNING | WANTED | DISABLED)) == WANTED;
            int left = begins ? begun(seen & ~QUEUED) : seen & ~QUEUED;
            if (STATE.compareAndSet(this, seen, left)) {
                if (begins) {
                    runner = Thread.currentThread().threadId();
                    if ((seen & PARKED) != 0) {
                        flushLeftOver();
                    }
                }
                return begins;
            }
        }
    }

    private void makePasses() {
        int made = 0;
        boolean more;
        do {
            more = makePass();
            made++;
        } while (continues(more, made < MAX_ITERATIONS));
    }

    /** Writes the deferred PSNs and diagnostic data to the queue pair. Reports an exception; does not throw it. */
    private void flushLeftOver() {
        try {
            deferredFlush.run();
        } catch (Throwable thrown) {
            host.failed(thrown);
        }
    }

    private boolean makePass() {
        try {
            return pass.run();
        } catch (Throwable thrown) {
            host.failed(thrown);
            return false;
        }
    }

    /**
     * Updates the task's state after a call of {@link #pass}. Returns true if the calling thread must call {@code pass}
     * again. If this method returns false, the calling thread may no longer run the task, and the task may be queued again.
     */
    private boolean continues(boolean more, boolean mayContinue) {
        while (true) {
            int seen = state;
            int then;
            if ((seen & DISABLED) != 0) {
                then = seen & ~(RUNNING | WANTED);
            } else if (!more && (seen & WANTED) == 0) {
                then = seen & ~RUNNING;
            } else if (mayContinue) {
                then = seen & ~WANTED;
            } else {
                then = (seen & ~RUNNING) | WANTED | QUEUED;
            }
            boolean stops = (then & RUNNING) == 0;
            if (stops) {
                // The thread that runs the task clears the field `runner` before the bit RUNNING. Once RUNNING is
                // clear, another thread may set RUNNING and write to `runner`.
                runner = NOBODY;
            }
            if (then == seen || STATE.compareAndSet(this, seen, then)) {
                if (stops) {
                    enqueueIfNew(seen, then);
                    if ((then & DISABLED) != 0) {
                        wakeDisablers();
                    }
                }
                return !stops;
            }
            runner = Thread.currentThread().threadId();
        }
    }

    private void enqueueIfNew(int before, int after) {
        if ((after & ~before & QUEUED) != 0) {
            host.enqueue(this);
        }
    }

    @Override
    public void cancel() {
        int seen;
        do {
            seen = state;
        } while (!STATE.compareAndSet(this, seen, (seen | DISABLED) & ~WANTED));
    }

    @Override
    public void disable() {
        cancel();
        if (!isRunningHere()) {
            awaitEndOfRun();
            flushDeferred();
            // Another thread may also have called flushDeferred(), and may still be updating the queue pair.
            awaitEndOfRun();
        }
    }

    private synchronized void awaitEndOfRun() {
        boolean interrupted = false;
        boolean named = false;
        long begin = System.nanoTime();
        while ((state & (RUNNING | DISABLED)) == (RUNNING | DISABLED)) {
            if (!named && System.nanoTime() - begin >= WorkerPool.LONG_NANOS) {
                named = true;
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "closing or resetting an object has waited for more than a second for a running task: "
                                + name());
            }
            try {
                wait(WorkerPool.LONG_NANOS / 1_000_000);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void wakeDisablers() {
        notifyAll();
    }

    @Override
    public void enable() {
        int seen;
        do {
            seen = state;
        } while (!STATE.compareAndSet(this, seen, seen & ~DISABLED));
        wakeDisablers();
    }

    /** Returns the name that rxe uses for the state, for reports. */
    @Override
    public String toString() {
        int seen = state;
        boolean running = (seen & RUNNING) != 0;
        if ((seen & DISABLED) != 0) {
            return running ? "DRAINING" : "DRAINED";
        }
        if ((seen & WANTED) != 0) {
            return running ? "ARMED" : "BUSY";
        }
        return running ? "BUSY" : "IDLE";
    }
}
