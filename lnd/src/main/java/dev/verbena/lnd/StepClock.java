// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.function.LongSupplier;

/**
 * A clock for the handling of messages that is read at most once per step, because each reading costs time. A step
 * handles one completion or one message to send, and never waits. Outside a step, and in threads that do not run the
 * step, each call reads the clock.
 *
 * <p>The lock of the CPU partition must be held during a step; {@link #now} needs no lock.
 */
final class StepClock {

    private final LongSupplier clock;
    /** The id of the thread that runs a step, or 0. A thread that reads its own id in this field is running a step. */
    private long taker;

    private int depth;
    private boolean read;
    private long reading;

    StepClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** Begins a step, or a nested part of the present step. The caller must call {@link #end} in every case. */
    void begin() {
        if (depth++ == 0) {
            read = false;
            taker = Thread.currentThread().threadId();
        }
    }

    void end() {
        if (--depth == 0) {
            taker = 0;
        }
    }

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
