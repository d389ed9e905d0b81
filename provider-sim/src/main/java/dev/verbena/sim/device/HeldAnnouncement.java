// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.spi.CqModeration;
import java.util.concurrent.TimeUnit;

/**
 * Moderates the events of a completion queue: delays an event until the number of completions reaches the count of the
 * {@link CqModeration}, or until the period of the {@code CqModeration} ends. Guarded by the producer lock of the
 * completion queue's ring.
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

    /** Counts a completion that was added to an armed CQ. Returns whether the CQ must raise the event now. */
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

    /**
     * Returns whether the CQ moderation period has ended. The period begins with the first completion whose event is
     * delayed. A timer that was set for one moderation period may call its callback in the next period. The timer's
     * callback raises the event only if {@code isDue} returns true.
     */
    boolean isDue() {
        boolean due = completions > 0 && runtime.nanoTime() - deadline >= 0;
        if (due) {
            release();
        }
        return due;
    }

    /** Changes the moderation. Returns true if the former moderation delayed an event, which the caller must raise now. */
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
