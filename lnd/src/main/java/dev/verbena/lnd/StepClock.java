// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import java.util.function.LongSupplier;

/**
 * A clock that a thread reads at most once while it handles a completion or sends a message. Each reading of the clock
 * costs time. A thread calls {@link #begin} before it handles a completion or a message to send, calls {@link #end}
 * afterwards, and never waits between these two calls. If the calling thread is not between {@code begin} and {@code end},
 * each call of {@link #now} reads the clock.
 *
 * <p>A thread must hold the lock of the CPU partition from {@link #begin} to {@link #end}; {@link #now} needs no lock.
 */
final class StepClock {

    private final LongSupplier clock;
    /**
     * The id of the thread that has called {@link #begin} and not yet {@link #end}, or 0. For the thread with this id,
     * {@link #now} reads the clock at most once between {@link #begin} and {@link #end}.
     */
    private long taker;

    private int depth;
    private boolean read;
    private long reading;

    StepClock(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Until the matching call of {@link #end}, all calls of {@link #now} by the calling thread return the same time. Calls
     * of {@code begin} can be nested. After this call, the caller must call {@link #end} even if an exception is thrown.
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
