package dev.verbena.sim.device;

import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;

/**
 * What time it is for the send task of a queue pair, and its alarm: a look at the clock costs as much as a small packet, so that
 * one serves several passes of a run. Apart from the queue pair, which other threads read while this changes.
 */
final class SendClock {
    /** How many passes of a run may think that it is the same time. */
    private static final int PASSES_PER_LOOK = 64;

    private final SimRuntime runtime;
    private final Alarm alarm;
    private long alarmTime = QpEngine.NEVER;
    private long now;
    private int passes;

    SendClock(SimRuntime runtime, Runnable expired) {
        this.runtime = runtime;
        alarm = runtime.newAlarm(expired);
    }

    /** {@return the time of one more pass} */
    long tick() {
        if (passes++ % PASSES_PER_LOOK == 0) {
            now = runtime.nanoTime();
        }
        return now;
    }

    /** Ends a run: from now on there is only something to do at a time, or {@link QpEngine#NEVER}. */
    void rest(long deadline) {
        passes = 0;
        if (deadline != alarmTime || now >= alarmTime) {
            alarmTime = deadline;
            if (deadline == QpEngine.NEVER) {
                alarm.clear();
            } else {
                alarm.set(deadline);
            }
        }
    }

    /** Sets no alarm any more; the task runs no more. */
    void close() {
        alarm.clear();
    }
}
