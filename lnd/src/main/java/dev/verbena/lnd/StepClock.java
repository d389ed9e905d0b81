// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.function.LongSupplier;

/**
 * A clock that is read at most once while a thread handles one completion, or one message to send, because each reading
 * costs time. To handle a completion or a message is a step; a step never waits. Outside of a step, and in threads that
 * do not run the step, each call of {@link #now} reads the clock.
 *
 * <p>A thread must hold the lock of the CPU partition from {@link #begin} to {@link #end}; {@link #now} needs no lock.
 */
final class StepClock {

    private final LongSupplier clock;
    /**
     * The id of the thread that is between {@link #begin} and {@link #end}, or 0. If a thread reads its own id in this
     * field, the thread uses the stored time.
     */
    private long taker;

    private int depth;
    private boolean read;
    private long reading;

    StepClock(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Starts to store the time that is read first, for the calling thread. Calls can be nested. The caller must call
     * {@link #end} in every case.
     */
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
