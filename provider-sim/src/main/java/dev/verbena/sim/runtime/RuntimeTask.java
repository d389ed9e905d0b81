package dev.verbena.sim.runtime;

import dev.verbena.verbs.VerbsRuntime;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of both runtimes: rxe_task with its state word. The states of rxe are combinations of bits here, because a
 * task that was disabled may still have its place in the queue:
 *
 * <pre>
 * IDLE      nothing, or QUEUED as a remainder
 * BUSY      WANTED and QUEUED, waiting for a thread; or RUNNING
 * ARMED     RUNNING and WANTED
 * DRAINING  RUNNING and DISABLED
 * DRAINED   DISABLED
 * </pre>
 *
 * KEPT may come with each of them that is not RUNNING: something is left over.
 *
 * <p>Whoever sets RUNNING owns the task until it clears the bit; whoever sets QUEUED puts it into the queue, and only
 * the queue's reader clears it. So a task is never twice in the queue nor run by two threads.
 */
final class RuntimeTask extends ProgressTask implements VerbsRuntime.SerialTask {
    private static final int RUNNING = 1;
    private static final int WANTED = 2;
    private static final int QUEUED = 4;
    private static final int DISABLED = 8;
    private static final int KEPT = 16;

    /** How often {@link #settle()} looks whether another thread's run has ended, and from when on it lets others run. */
    private static final int MOST_LOOKS = 2_000;

    private static final int SPINS = 1_000;

    private static final System.Logger LOGGER = System.getLogger(RuntimeTask.class.getName());

    /** No thread's id. */
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

    /** The next task of the queue; belongs to {@link TaskFifo}. */
    @Nullable RuntimeTask next;

    /** What the task runs, for reports. */
    private final Object owner;

    private Runnable settling = () -> {};

    /** Whether it may run where a call ends. */
    private final boolean inner;

    private volatile int state;

    /** The id of the owner of RUNNING. Others may read anything but their own. An id, as storing a reference has a barrier. */
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

    /** One that runs the program's code. */
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

    /** Names what a task or an alarm runs: the class that has the code. */
    static String nameOf(Object code) {
        String name = code.getClass().getName();
        int hidden = name.indexOf("$$");
        return hidden < 0 ? name : name.substring(0, hidden);
    }

    boolean isInner() {
        return inner;
    }

    /** For reports: what it runs. */
    String name() {
        return "task of " + nameOf(owner);
    }

    @Override
    public void schedule() {
        while (true) {
            int seen = state;
            int wanted = wanted(seen);
            // Also when nothing changes: a mere look at the state could come before the caller's work is visible, and
            // the
            // run that the state promises would miss it.
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
        if ((seen & (RUNNING | WANTED | DISABLED)) != 0 || !tryBegin(seen)) {
            return false;
        }
        if ((seen & KEPT) != 0) {
            settleLeftOver();
        }
        return true;
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
        return (seen & ~KEPT) | RUNNING;
    }

    @Override
    public void settleBy(Runnable how) {
        settling = how;
    }

    @Override
    public boolean tryResume() {
        int seen = state;
        return (seen & (RUNNING | WANTED | DISABLED | KEPT)) == KEPT && tryBegin(seen);
    }

    @Override
    public boolean keep() {
        int seen = state;
        boolean kept = false;
        if ((seen & (WANTED | DISABLED)) == 0) {
            runner = NOBODY;
            kept = STATE.compareAndSet(this, seen, (seen & ~RUNNING) | KEPT);
        }
        if (kept) {
            host.exit();
        } else {
            runner = Thread.currentThread().threadId();
            settleLeftOver();
            end();
        }
        return kept;
    }

    @Override
    public boolean isAskedFor() {
        return (state & (WANTED | DISABLED)) != 0;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Yielding is a courtesy here; nothing relies on it.
    public void settle() {
        for (int looks = 0; looks < MOST_LOOKS && !isRunningHere(); looks++) {
            int seen = state;
            if ((seen & RUNNING) == 0 && ((seen & KEPT) == 0 || trySettle(seen))) {
                return;
            }
            if (looks == 0) {
                // Or who runs it would perhaps keep it again and again.
                schedule();
            }
            if (looks < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    /** As a run without passes, which one may make of a disabled task as well. */
    private boolean trySettle(int seen) {
        boolean begins = STATE.compareAndSet(this, seen, begun(seen));
        if (begins) {
            runner = Thread.currentThread().threadId();
            settleLeftOver();
            continues(false, false);
        }
        return begins;
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

    /** Runs the task, which was taken from the queue, if it is still wanted. */
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
            int left = begins ? begun(seen & ~(QUEUED | WANTED)) : seen & ~QUEUED;
            if (STATE.compareAndSet(this, seen, left)) {
                if (begins) {
                    runner = Thread.currentThread().threadId();
                    if ((seen & KEPT) != 0) {
                        settleLeftOver();
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

    /** Reports an exception: the run, which owns the task, continues and ends as any other. */
    private void settleLeftOver() {
        try {
            settling.run();
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

    /** After a pass: goes on, stops, or goes to the back of the queue. */
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
                // Before the bit, lest it wipes out the next runner's name.
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
            settle();
            // Of who settled it instead, perhaps.
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
                        "a thread that closes or resets an object has waited for more than a second for the end of a run: "
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

    /** Returns the state under rxe's name, for reports. */
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
