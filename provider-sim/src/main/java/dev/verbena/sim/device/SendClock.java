package dev.verbena.sim.device;

import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.SimRuntime;

/**
 * The time of the send task of a queue pair, and its alarm. Reading the clock costs as much as a small packet. So one reading serves
 * several passes of a run for the question whether a deadline has passed, which it may answer late, never early. A timer that a pass
 * starts gets its deadline from a reading after the packets of that pass have been sent.
 */
final class SendClock {
    /** How many passes of a run may use one reading. */
    private static final int PASSES_PER_READING = 64;

    private final SimRuntime runtime;
    private final QpEngine engine;
    private final ProgressTask task;
    private final Alarm alarm;

    /** The time the alarm is armed for unless it has {@link #expired}, or {@link QpEngine#NEVER}. */
    private long alarmTime = QpEngine.NEVER;

    /** Set when the alarm has expired, before it schedules a pass; cleared before the alarm is armed again. */
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

    /** {@return the time of one more pass} */
    long tick() {
        if (passes++ % PASSES_PER_READING == 0 && engine.hasTimer()) {
            now = runtime.nanoTime();
            engine.startTimers(now);
        }
        return now;
    }

    /** Ends a run: arms the alarm for the engine's next deadline. */
    void rest() {
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

    /** Ends the alarm; the task runs no more. */
    void close() {
        alarm.close();
    }
}
