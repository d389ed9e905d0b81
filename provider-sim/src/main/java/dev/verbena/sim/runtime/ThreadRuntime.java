// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.DeviceExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A runtime that runs tasks in several threads, in wall-clock time. Daemon threads run tasks, timer callbacks and
 * application handlers; further daemon threads replace those that block. One thread waits for timer deadlines. Idle threads
 * sleep. {@link ProgressTask#run()} makes progress in the calling thread, so that most work never changes threads. At the
 * end of a call into the LND, the calling thread also runs tasks that this call has scheduled, unless they execute
 * application code. The uncaught exception handler of a task's thread gets the exceptions of the task, and the thread
 * continues. This class is thread-safe.
 */
public final class ThreadRuntime implements SimRuntime {
    /** The default number of threads that run tasks. */
    public static final int DEFAULT_WORKERS = 2;

    /** The period at which a sleeping thread evaluates its condition without a wake-up. */
    private static final long SLEEP_NANOS = 1_000_000;

    /**
     * The maximum number of tasks that a thread runs in {@code endCall}; {@link #LONGEST_NANOS} bounds the time of these
     * tasks. Without a limit, {@code CallerRuns.endCall} might never return, because each task may schedule another task.
     */
    private static final int MOST_KEPT = 32;

    private static final long LONGEST_NANOS = 250_000;

    /** The number of tasks that a thread runs between two readings of the clock. */
    private static final int KEPT_BETWEEN_READINGS = 4;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final long seed;
    private final long origin = System.nanoTime();
    private final WaitPolicy waitPolicy;
    private final Host host = new Host();
    private final Sleepers sleepers = new Sleepers();
    /** The number of threads in each wait queue ({@link Signal}). Closing the runtime wakes these threads. */
    private final Map<Sleepers, Integer> signalled = new ConcurrentHashMap<>();

    private final PerThread<Calls.Nesting> nesting = new PerThread<>(Calls.Nesting::new);
    private final Calls calls;
    private final CallerRuns callerRuns = new CallersTasks();
    private final WorkerPool workers;
    private final Timers timers;
    private final Thread timerThread;
    private volatile boolean closed;

    /** The time of the next {@link Calls#check}. Only the timer thread accesses this field. */
    private long nextCallCheck;

    /**
     * Starts a runtime with {@value #DEFAULT_WORKERS} threads for tasks.
     *
     * @param seed the seed of all random generators; with the same seed, the order of events may still differ, because
     *     threads run concurrently
     */
    public ThreadRuntime(long seed) {
        this(DEFAULT_WORKERS, seed);
    }

    /**
     * Starts a runtime with a given number of threads for tasks.
     *
     * @param workerCount the number of threads that run tasks, at least 1
     * @param seed the seed of all random generators; with the same seed, the order of events may still differ, because
     *     threads run concurrently
     */
    public ThreadRuntime(int workerCount, long seed) {
        this(workerCount, seed, WaitPolicy.configured());
    }

    /**
     * Starts a runtime with a given number of threads for tasks and a given wait policy.
     *
     * @param workerCount the number of threads that run tasks, at least 1
     * @param seed the seed of all random generators; with the same seed, the order of events may still differ, because
     *     threads run concurrently
     * @param waitPolicy the policy by which waiting threads spin, yield and park
     */
    public ThreadRuntime(int workerCount, long seed, WaitPolicy waitPolicy) {
        if (workerCount < 1) {
            throw new IllegalArgumentException("a runtime needs at least 1 thread for its tasks, not " + workerCount);
        }
        this.seed = seed;
        this.waitPolicy = waitPolicy;
        timerThread = Thread.ofPlatform().daemon().name("verbena-sim-timer").unstarted(this::keepTime);
        Runnable sooner = () -> LockSupport.unpark(timerThread);
        workers = new WorkerPool(workerCount, "verbena-sim-worker-", waitPolicy, sooner);
        timers = new Timers(sooner);
        calls = new Calls(this::addAll, sooner);
        workers.start();
        timerThread.start();
    }

    @Override
    public boolean isVirtual() {
        return false;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime() - origin;
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public RandomGenerator newRandom(String purpose) {
        return RandomStreams.of(seed, purpose);
    }

    @Override
    public WaitPolicy waitPolicy() {
        return waitPolicy;
    }

    @Override
    public ProgressTask newProgressTask(Pass pass, boolean inner) {
        return new RuntimeTask(host, pass, inner);
    }

    @Override
    public SerialTask newSerialTask(Runnable body) {
        return RuntimeTask.once(host, body);
    }

    @Override
    public <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        return type == CallerRuns.class ? Optional.of(type.cast(callerRuns)) : Optional.empty();
    }

    /** At the end of a call into the LND, the calling thread runs scheduled tasks that execute no application code. */
    private final class CallersTasks implements CallerRuns {
        @Override
        public SerialTask newCallerRunsTask(Runnable body) {
            return RuntimeTask.once(host, body, true);
        }

        @Override
        public void beginCall() {
            calls.begin(nesting.get());
        }

        @Override
        public void endCall() {
            Calls.Nesting here = nesting.get();
            if (here.calls == 0) {
                throw TaskHost.noCall();
            }
            try {
                if (here.calls == 1 && !here.kept.isEmpty()) {
                    runKept(here);
                }
            } finally {
                here.calls--;
                leaveRest(here);
            }
        }
    }

    /**
     * At the end of a call into the LND, runs the tasks in {@code here.kept}. A task that runs may add further tasks to
     * {@code here.kept}.
     */
    private void runKept(Calls.Nesting here) {
        if (here.depth >= TaskHost.MAX_NESTING) {
            return;
        }
        int left = MOST_KEPT;
        long begin = nanoTime();
        do {
            RuntimeTask task = here.kept.poll();
            if (task == null) {
                return;
            }
            task.runQueued();
            left--;
        } while (left > 0 && (left % KEPT_BETWEEN_READINGS != 0 || nanoTime() - begin < LONGEST_NANOS));
    }

    /** At the end of a thread's outermost call into the LND, passes its remaining tasks to the worker threads. */
    private void leaveRest(Calls.Nesting here) {
        if (here.calls == 0) {
            addAll(here.forOthers);
            addAll(here.kept);
        }
    }

    private void addAll(TaskFifo tasks) {
        for (RuntimeTask task = tasks.poll(); task != null; task = tasks.poll()) {
            workers.add(task);
        }
    }

    @Override
    public Alarm newAlarm(Runnable expired) {
        return timers.newAlarm(RuntimeTask.once(host, expired, true));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return OneShot.schedule(expired -> timers.newAlarm(RuntimeTask.once(host, expired)), nanoTime(), delay, task);
    }

    private void keepTime() {
        while (!closed) {
            long wait = runDue();
            if (wait == Deadlines.NEVER) {
                LockSupport.park(timers);
            } else {
                LockSupport.parkNanos(timers, wait);
            }
        }
    }

    /** Runs the timers that are due. Catches every exception, because without the timer thread no timer would expire any more. */
    private long runDue() {
        try {
            long relief = workers.relieve(System.nanoTime());
            long check = checkCalls(nanoTime());
            long next = timers.runDue(nanoTime());
            long wait = next == Deadlines.NEVER ? next : Math.max(0, next - nanoTime());
            return Math.min(wait, Math.min(relief, check));
        } catch (Throwable thrown) {
            failed(thrown);
            return SLEEP_NANOS;
        }
    }

    /** Executes {@link Calls#check} if {@code nextCallCheck} has been reached. Returns the time until the next check. */
    private long checkCalls(long now) {
        if (calls.isEmpty()) {
            return Deadlines.NEVER;
        }
        if (now >= nextCallCheck) {
            calls.check();
            nextCallCheck = now + Calls.CHECK_NANOS;
        }
        return nextCallCheck - now;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The calling thread waits according to the {@link WaitPolicy}. A sleeping thread evaluates its condition every
     * millisecond and after each wake-up.
     */
    @Override
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        return await(condition, timeout, sleepers, SLEEP_NANOS);
    }

    @SuppressWarnings("ThreadPriorityCheck") // Yielding only helps other threads; correctness does not depend on it.
    private boolean await(BooleanSupplier condition, Duration timeout, Sleepers with, long longestSleep)
            throws InterruptedException {
        Calls.Nesting here = nesting.get();
        if (here.depth > 0 || here.calls > 0) {
            throw TaskHost.refusedWait();
        }
        long start = nanoTime();
        long deadline = Deadlines.after(start, timeout);
        boolean asleep = false;
        try {
            while (true) {
                int ticket = with.ticket();
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while waiting");
                }
                if (condition.getAsBoolean()) {
                    return true;
                }
                long now = nanoTime();
                if (closed || now >= deadline) {
                    return false;
                }
                if (asleep) {
                    with.sleep(ticket, Math.min(longestSleep, deadline - now));
                } else {
                    switch (step(now - start)) {
                        case SPIN -> Thread.onSpinWait();
                        case YIELD -> Thread.yield();
                        case PARK -> {
                            asleep = true;
                            with.enter();
                        }
                    }
                }
            }
        } finally {
            if (asleep) {
                with.exit();
            }
        }
    }

    /**
     * Returns the next step of the calling thread, which waits for a condition: spin, yield or park. A virtual thread parks
     * immediately, because polling would keep its carrier thread from running other virtual threads.
     */
    private WaitPolicy.Step step(long waitedNanos) {
        return Thread.currentThread().isVirtual() ? WaitPolicy.Step.PARK : waitPolicy.after(waitedNanos);
    }

    @Override
    public Signal newSignal() {
        return new OwnSignal();
    }

    @Override
    public Executor stageExecutor() {
        return ForkJoinPool.commonPool();
    }

    /** A wait queue that wakes only its own threads, not all waiting threads of the {@code ThreadRuntime}. */
    private final class OwnSignal implements Signal {
        private final Sleepers own = new Sleepers();

        @Override
        public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
            signalled.merge(own, 1, Integer::sum);
            try {
                return ThreadRuntime.this.await(condition, timeout, own, Long.MAX_VALUE);
            } finally {
                signalled.computeIfPresent(own, (key, waiters) -> waiters == 1 ? null : waiters - 1);
            }
        }

        @Override
        public void wakeUp() {
            own.wakeUp();
        }
    }

    @Override
    public void wakeUp() {
        sleepers.wakeUp();
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@code close} waits at most {@code CLOSE_TIMEOUT} until task executions in progress have ended, even if a task
     * blocks. A task may close its own runtime.
     */
    @Override
    public void close() {
        closed = true;
        workers.close();
        LockSupport.unpark(timerThread);
        sleepers.wakeUp();
        signalled.keySet().forEach(Sleepers::wakeUp);
        if (nesting.get().depth == 0) {
            joinThreads();
        }
        timers.clear();
    }

    private void joinThreads() {
        long deadline = Deadlines.after(nanoTime(), CLOSE_TIMEOUT);
        try {
            timerThread.join(CLOSE_TIMEOUT);
            for (Thread worker : workers.threads()) {
                worker.join(Duration.ofNanos(Math.max(0, deadline - nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The functions that tasks need from this runtime. */
    private final class Host implements TaskHost {
        @Override
        public void enqueue(RuntimeTask task) {
            Calls.Nesting here = nesting.get();
            if (here.calls > 0) {
                (task.isInner() ? here.kept : here.forOthers).add(task);
            } else {
                workers.add(task);
            }
        }

        @Override
        public boolean tryEnter() {
            Calls.Nesting here = nesting.get();
            if (closed || here.depth >= MAX_NESTING) {
                return false;
            }
            here.depth++;
            return true;
        }

        @Override
        public void exit() {
            nesting.get().depth--;
        }

        @Override
        public void failed(Throwable thrown) {
            ThreadRuntime.this.failed(thrown);
        }
    }
}
