// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * One thread, and a clock that moves by a random distance, sometimes a long one, whenever it is read. Alarms expire
 * inside any reading of the clock, as with a timer thread: their tasks run at once or later, at random.
 */
public final class JumpingRuntime implements SimRuntime {
    private static final int SELDOM = 8;

    private final long seed;
    private final RandomGenerator chance;
    private final long farNanos;
    private final Host host = new Host();
    private final TaskFifo runnable = new TaskFifo();
    private final Timers timers = new Timers(() -> {});
    private final List<Throwable> failures = new ArrayList<>();
    private long time;
    private boolean jumping;
    private int nesting;

    /**
     * Starts at time 0.
     *
     * @param seed the seed of the clock and of all random generators
     * @param farNanos the greatest distance that the clock moves
     */
    public JumpingRuntime(long seed, long farNanos) {
        this.seed = seed;
        this.farNanos = farNanos;
        chance = newRandom("jumps");
    }

    /** Moves the clock, and runs the alarms that are due. */
    public void jump() {
        if (jumping) {
            return;
        }
        jumping = true;
        try {
            time += chance.nextInt(SELDOM) == 0 ? chance.nextLong(farNanos) : chance.nextLong(farNanos / 1000);
            timers.runDue(time);
        } finally {
            jumping = false;
        }
    }

    /** Returns the number of queued alarms, armed or not. */
    public int queuedAlarms() {
        return timers.queued();
    }

    /** Returns the time of the last reading. */
    public long time() {
        return time;
    }

    /** Returns the exceptions that tasks and fault rules threw. */
    public List<Throwable> failures() {
        return failures;
    }

    @Override
    public long nanoTime() {
        jump();
        return time;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(time);
    }

    @Override
    public boolean isVirtual() {
        return false;
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
    public Alarm newAlarm(Runnable expired) {
        return timers.newAlarm(RuntimeTask.once(host, expired, true));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return OneShot.schedule(this::newAlarm, time, delay, task);
    }

    /** Returns false as soon as no event can happen any more. */
    @Override
    public boolean await(BooleanSupplier condition, Duration timeout) {
        long deadline = Deadlines.after(time, timeout);
        while (!condition.getAsBoolean()) {
            RuntimeTask task = runnable.poll();
            if (task != null) {
                task.runQueued();
                jump();
            } else {
                long next = timers.runDue(time);
                if (runnable.isEmpty()) {
                    if (next > deadline) {
                        return condition.getAsBoolean();
                    }
                    time = next;
                }
            }
        }
        return true;
    }

    @Override
    public void wakeUp() {}

    @Override
    public void failed(Throwable thrown) {
        failures.add(thrown);
    }

    @Override
    public void close() {
        timers.clear();
        runnable.clear();
    }

    private final class Host implements TaskHost {
        @Override
        public void enqueue(RuntimeTask task) {
            if (jumping && chance.nextBoolean()) {
                task.runQueued();
            } else {
                runnable.add(task);
            }
        }

        @Override
        public boolean tryEnter() {
            if (nesting >= MAX_NESTING) {
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
            JumpingRuntime.this.failed(thrown);
        }
    }
}
