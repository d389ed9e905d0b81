// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.DeviceExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SimRuntime} that runs tasks in one thread, in virtual time. The thread in {@link #await} runs tasks in the order
 * in which they were scheduled. When no task is left, the thread advances virtual time to the next timer's deadline. Timers
 * with the same deadline expire in the order in which they were set. The same calls with the same seed have the same
 * effects, at the same virtual times, in every JVM.
 *
 * <p>If a task or a timer's callback throws an exception during an {@code await} call, this {@code await} call throws the
 * exception. If a task throws an exception outside of any {@code await} call, the next {@code await} call throws this
 * exception. Only one thread at a time may use this class; {@link #actor} starts further threads, which run alternately.
 */
public final class VirtualRuntime implements SimRuntime {
    /** The value of {@link #now()} when {@link #nanoTime()} is 0. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** The virtual time that a poll of an empty completion queue takes after the first call of {@link #actor}. */
    public static final Duration POLL_COST = Duration.ofNanos(1000);

    /** The maximum number of task executions and timer expiries at one virtual time; more indicate an endless loop. */
    private static final long MOST_EVENTS_AT_ONE_TIME = 20_000_000;

    private final long seed;
    private final Host host = new Host();
    private final TaskFifo runnable = new TaskFifo();
    private final DeadlineHeap<VirtualAlarm> alarms = new DeadlineHeap<>();
    private final SortedMap<Long, Supplier<String>> reporters = new TreeMap<>();
    private long registrations;
    private long nanoTime;
    private long events;
    private long eventsAtThisTime;
    private final long mostEventsAtOneTime;
    private int nesting;
    private final ActorSchedule actors;
    private boolean pollsTakeTime;
    private final CallerRuns callerRuns = new NoCallersTasks();
    private int calls;
    private boolean closed;
    private @Nullable Throwable failure;

    /**
     * Makes a runtime at virtual time 0, with no task and no timer.
     *
     * @param seed the seed of all random generators
     */
    public VirtualRuntime(long seed) {
        this(seed, MOST_EVENTS_AT_ONE_TIME);
    }

    VirtualRuntime(long seed, long mostEventsAtOneTime) {
        this.seed = seed;
        this.mostEventsAtOneTime = mostEventsAtOneTime;
        this.actors = new ActorSchedule(this);
    }

    @Override
    public boolean isVirtual() {
        return true;
    }

    @Override
    public long nanoTime() {
        return nanoTime;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanoTime);
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

    /**
     * In virtual time, a thread runs scheduled tasks while it waits, and {@code endCall} runs no tasks. A thread must not
     * wait between its calls of {@code beginCall} and {@code endCall}.
     */
    private final class NoCallersTasks implements CallerRuns {
        @Override
        public SerialTask newCallerRunsTask(Runnable body) {
            return newSerialTask(body);
        }

        @Override
        public void beginCall() {
            calls++;
        }

        @Override
        public void endCall() {
            if (calls == 0) {
                throw TaskHost.noCall();
            }
            calls--;
        }
    }

    @Override
    public Alarm newAlarm(Runnable expired) {
        return new VirtualAlarm(expired);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return OneShot.schedule(this::newAlarm, nanoTime, delay, task);
    }

    /** Has no effect, because {@link #await} evaluates its condition after every task execution and timer expiry. */
    @Override
    public void wakeUp() {}

    /**
     * {@inheritDoc}
     *
     * <p>If no task is queued and no timer expires by the deadline, virtual time advances to the deadline.
     *
     * @throws IllegalStateException if the wait would never end, because no queued task, timer or timeout is left, or tasks
     *     run endlessly at one virtual time. The message contains {@link #describeStall()}
     */
    @Override
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        if (nesting > 0 || calls > 0) {
            throw TaskHost.refusedWait();
        }
        return actors.await(condition, Deadlines.after(nanoTime, timeout));
    }

    /**
     * Starts a simulated application thread, which runs ordinary blocking code in virtual time. For example, the new thread
     * is a server and the calling thread is the client. The first call of {@code actor} makes the calling thread the main
     * thread. Afterwards, only the main thread and simulated application threads may use the devices. If an application
     * thread blocks outside of this library, the waits of all application threads throw an exception. If {@code body}
     * throws an exception, the main thread's current wait throws it, or throws an exception caused by it.
     *
     * @param name the name of the new thread, for exception messages
     * @param body the code of the new thread, which starts at the earliest when the calling thread waits
     * @return the new simulated application thread
     * @throws IllegalArgumentException if the name is {@code main} or that of an application thread that has not exited
     * @throws IllegalStateException if the calling thread is neither the main thread nor the thread of a
     *     {@link VirtualActor}
     */
    public VirtualActor actor(String name, VirtualActor.Body body) {
        pollsTakeTime = true;
        return actors.start(name, body);
    }

    /** After a call of {@link #actor}, polling an empty completion queue takes {@link #POLL_COST}, so polling loops end. */
    @Override
    public void polledInVain() {
        if (pollsTakeTime && nesting == 0 && calls == 0 && !closed && !actors.isEvaluating()) {
            try {
                await(() -> false, POLL_COST);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Advances the virtual time to {@code deadline}. The caller must have run all queued tasks, and all timers that are due
     * by {@code deadline}.
     */
    void advanceTo(long deadline) {
        nanoTime = Math.max(nanoTime, deadline);
        eventsAtThisTime = 0;
    }

    /** Runs the next task or, if no task is queued, the next timer due by the deadline. Returns whether either ran. */
    boolean runNext(long deadline) {
        RuntimeTask task = runnable.poll();
        if (task != null) {
            if (!countEvent()) {
                throw standstill(task.name());
            }
            task.runQueued();
            return true;
        }
        VirtualAlarm next = alarms.peek();
        if (next == null || next.deadline() > deadline) {
            return false;
        }
        alarms.remove(next);
        if (nanoTime != next.deadline()) {
            nanoTime = next.deadline();
            eventsAtThisTime = 0;
        }
        if (!countEvent()) {
            throw standstill(next.name());
        }
        next.expire();
        return true;
    }

    /** Counts a task or timer execution. Returns false after more than {@code mostEventsAtOneTime} at one virtual time. */
    private boolean countEvent() {
        events++;
        eventsAtThisTime++;
        return eventsAtThisTime <= mostEventsAtOneTime;
    }

    private IllegalStateException standstill(String next) {
        eventsAtThisTime = 0;
        return new IllegalStateException("time does not advance: " + mostEventsAtOneTime
                + " events at one instant, and the next is " + next + "; " + describeStall());
    }

    /** Returns and clears the exception that no {@code await} has thrown yet. */
    @Nullable Throwable takeFailure() {
        Throwable thrown = failure;
        failure = null;
        return thrown;
    }

    /**
     * Returns the number of simulation events: executions of queued tasks, and timer expiries. Tasks that run directly in
     * their caller's thread are not counted. Each execution of an application with the same seed has the same number of
     * simulation events.
     *
     * @return the number of simulation events since this runtime was created
     */
    public long events() {
        return events;
    }

    @Override
    public Registration onStall(Supplier<String> report) {
        long number = registrations++;
        reporters.put(number, report);
        return () -> reporters.remove(number);
    }

    /**
     * Describes the simulation: virtual time, numbers of queued tasks and set timers, and outstanding work requests.
     *
     * @return lines of text; the texts of the {@link #onStall} functions are in the order of the {@code onStall} calls
     */
    public String describeStall() {
        VirtualAlarm next = alarms.peek();
        String head = "at virtual time " + Duration.ofNanos(nanoTime) + ": " + runnable.size() + " tasks runnable, "
                + alarms.size() + " alarms set"
                + (next == null ? "" : ", the next for " + Duration.ofNanos(next.deadline()));
        String reports = reporters.values().stream()
                .map(Supplier::get)
                .filter(text -> !text.isEmpty())
                .map(text -> "\n" + text)
                .collect(Collectors.joining());
        return head + reports;
    }

    /**
     * {@inheritDoc}
     *
     * <p>If no {@link #await} has rethrown a task's exception, {@code close()} passes this exception to the uncaught
     * exception handler of the calling thread.
     */
    @Override
    public void close() {
        closed = true;
        runnable.clear();
        alarms.clear();
        actors.close();
        Throwable thrown = takeFailure();
        if (thrown != null) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        }
    }

    @Override
    public void failed(Throwable thrown) {
        Throwable first = failure;
        if (first == null) {
            failure = thrown;
        } else if (!first.equals(thrown)) {
            first.addSuppressed(thrown);
        }
    }

    /** The functions that tasks need from this runtime. */
    private final class Host implements TaskHost {
        @Override
        public void enqueue(RuntimeTask task) {
            if (!closed) {
                runnable.add(task);
            }
        }

        @Override
        public boolean tryEnter() {
            if (closed || nesting >= MAX_NESTING) {
                return false;
            }
            nesting++;
            return true;
        }

        @Override
        public void exit() {
            nesting--;
        }

        @Override
        public void failed(Throwable thrown) {
            VirtualRuntime.this.failed(thrown);
        }
    }

    /** A timer in virtual time. The object is also the timer's entry in the {@link DeadlineHeap}. */
    private final class VirtualAlarm extends DeadlineHeap.Entry implements Alarm {
        private final Runnable expired;

        VirtualAlarm(Runnable expired) {
            this.expired = Objects.requireNonNull(expired);
        }

        @Override
        public void set(long deadline) {
            if (deadline == Deadlines.NEVER) {
                clear();
            } else if (!closed) {
                alarms.put(this, Math.max(deadline, nanoTime));
            }
        }

        @Override
        public void clear() {
            alarms.remove(this);
        }

        @Override
        public void close() {
            clear();
        }

        String name() {
            return "alarm of " + RuntimeTask.nameOf(expired);
        }

        void expire() {
            nesting++;
            try {
                expired.run();
            } catch (Throwable thrown) {
                host.failed(thrown);
            } finally {
                nesting--;
            }
        }
    }
}
