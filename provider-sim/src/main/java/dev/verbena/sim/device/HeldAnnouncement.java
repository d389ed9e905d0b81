// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.spi.CqModeration;
import java.util.concurrent.TimeUnit;

/**
 * Holds the announcement of an armed completion queue back until enough completions have come, or until the period of the first of
 * them has passed. All methods are guarded by the producer lock of the queue's ring; the alarm's code takes it.
 */
final class HeldAnnouncement {
    private final SimRuntime runtime;
    private final Alarm alarm;
    private CqModeration moderation;
    private int completions;
    private long deadline;

    HeldAnnouncement(SimRuntime runtime, CqModeration moderation, Runnable expired) {
        this.runtime = runtime;
        this.moderation = moderation;
        alarm = runtime.newAlarm(expired);
    }

    /** Counts a completion that an armed queue announces. Returns whether the announcement is due. */
    boolean isDueWithOneMore() {
        completions++;
        if (!moderation.delays() || completions >= moderation.count()) {
            release();
            return true;
        }
        if (completions == 1) {
            deadline = runtime.nanoTime() + TimeUnit.MICROSECONDS.toNanos(moderation.micros());
            alarm.set(deadline);
        }
        return false;
    }

    /** Returns whether the period of the first counted completion has passed. An expiry may come late, after a newer period began. */
    boolean isDue() {
        boolean due = completions > 0 && runtime.nanoTime() - deadline >= 0;
        if (due) {
            release();
        }
        return due;
    }

    /** Changes the moderation. Returns whether an announcement was held, which is due now. */
    boolean change(CqModeration wanted) {
        boolean held = completions > 0;
        moderation = wanted;
        release();
        return held;
    }

    private void release() {
        completions = 0;
        alarm.clear();
    }

    void close() {
        alarm.close();
    }
}
