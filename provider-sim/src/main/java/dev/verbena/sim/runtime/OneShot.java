// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** A timer that runs a task once. The method {@link #cancel} has an effect only before the task begins. */
final class OneShot implements VerbsRuntime.Timer, Runnable {
    private enum State {
        PENDING,
        BEGUN,
        CANCELLED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.PENDING);
    private final Runnable task;
    private final Alarm alarm;

    private OneShot(Function<Runnable, Alarm> newAlarm, Runnable task) {
        this.task = task;
        this.alarm = newAlarm.apply(this);
    }

    static VerbsRuntime.Timer schedule(
            Function<Runnable, Alarm> newAlarm, long nanoTime, Duration delay, Runnable task) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException(
                    "a task cannot run " + delay + " from now; the delay must not be negative");
        }
        OneShot timer = new OneShot(newAlarm, task);
        timer.alarm.set(Deadlines.after(nanoTime, delay));
        return timer;
    }

    @Override
    public void run() {
        if (state.compareAndSet(State.PENDING, State.BEGUN)) {
            task.run();
        }
    }

    @Override
    public boolean cancel() {
        if (state.compareAndSet(State.PENDING, State.CANCELLED)) {
            alarm.close();
        }
        return state.get() == State.CANCELLED;
    }
}
