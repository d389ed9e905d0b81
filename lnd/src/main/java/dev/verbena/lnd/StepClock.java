// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.function.LongSupplier;

/**
 * The time, which is read from the clock at most once per step. A step is the handling of one completion or one message
 * to send, and sees a single time. A step does not wait, so the time is never late by more than the length of the step.
 * Outside a step, and for other threads, every call reads the clock.
 *
 * <p>Steps run under the partition's lock; {@link #now} needs no lock.
 */
final class StepClock {

    private final LongSupplier clock;
    /**
     * The id of the thread that runs a step, or 0. A thread that reads this without the lock sees its own id only
     * during its own step, since it overwrites the field at the end of the step.
     */
    private long taker;

    private int depth;
    private boolean read;
    private long reading;

    StepClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** Begins a step, or a part of the running one. The caller calls {@link #end} in every case. */
    void begin() {
        if (depth++ == 0) {
            read = false;
            taker = Thread.currentThread().threadId();
        }
    }

    /** Ends a step or a part of it. */
    void end() {
        if (--depth == 0) {
            taker = 0;
        }
    }

    /** Returns the present time in nanoseconds. */
    long now() {
        if (taker != Thread.currentThread().threadId()) {
            return clock.getAsLong();
        }
        if (!read) {
            reading = clock.getAsLong();
            read = true;
        }
        return reading;
    }
}
