// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.function.LongSupplier;

/**
 * A clock that is read at most once per step, because each reading costs time. A step is the handling of one
 * completion or of one message to send, and never waits. Outside a step, and in other threads, every call reads the
 * clock.
 *
 * <p>Steps run under the lock of the CPU partition; {@link #now} needs no lock.
 */
final class StepClock {

    private final LongSupplier clock;
    /** The id of the thread that runs a step, or 0. A thread finds its own id here only during its own step. */
    private long taker;

    private int depth;
    private boolean read;
    private long reading;

    StepClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** Begins a step, or a nested part of it. The caller must call {@link #end} in every case. */
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
