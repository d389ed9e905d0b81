// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.SimRuntime;

/**
 * Reads the clock for the send task of a queue pair, and sets a timer ({@link Alarm}) to the next retransmission or RNR
 * deadline. Reading the clock costs as much as sending a small packet. To save clock readings, one reading serves {@code
 * PASSES_PER_READING} calls of {@link #tick()} in one execution of the send task. A timer may expire late, but never early.
 * The packets of a timer are sent first; the clock reading for the timer's deadline comes later.
 */
final class SendClock {
    private static final int PASSES_PER_READING = 64;

    private final SimRuntime runtime;
    private final QpEngine engine;
    private final ProgressTask task;
    private final Alarm alarm;

    /** The deadline to which the timer is set, or {@link QpEngine#NEVER}; invalid if the timer has {@link #expired}. */
    private long alarmTime = QpEngine.NEVER;

    /**
     * Whether the timer has expired. The timer's callback sets {@code expired} before it schedules the send task. The send
     * task clears {@code expired} before it sets the timer again.
     */
    private volatile boolean expired;

    private long now;
    private int passes;

    SendClock(SimRuntime runtime, QpEngine engine, ProgressTask task) {
        this.runtime = runtime;
        this.engine = engine;
        this.task = task;
        alarm = runtime.newAlarm(this::onAlarm);
    }

    private void onAlarm() {
        expired = true;
        task.schedule();
    }

    long tick() {
        if (passes++ % PASSES_PER_READING == 0 && engine.hasTimer()) {
            now = runtime.nanoTime();
            engine.startTimers(now);
        }
        return now;
    }

    /** Sets the timer to the next retransmission or RNR deadline. Call when the send task has no work left. */
    void armAlarm() {
        passes = 0;
        if (engine.hasStartedTimer()) {
            engine.startTimers(runtime.nanoTime());
        }
        if (expired) {
            expired = false;
            alarmTime = QpEngine.NEVER;
        }
        long deadline = engine.nextDeadline();
        if (deadline != alarmTime) {
            set(deadline);
            alarmTime = deadline;
        }
    }

    private void set(long deadline) {
        if (deadline == QpEngine.NEVER) {
            alarm.clear();
        } else {
            alarm.set(deadline);
        }
    }

    /** Closes the timer. The caller must prevent further executions of the send task. */
    void close() {
        alarm.close();
    }
}
