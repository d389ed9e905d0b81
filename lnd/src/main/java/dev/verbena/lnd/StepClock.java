package dev.verbena.lnd;

import java.util.function.LongSupplier;

/**
 * The time, which is read once in a step: all that one completion or one message to send brings about happens at the same time,
 * however often it is asked for. A step does not wait, so that this is never late by more than the step takes. Outside of a step,
 * and to other threads than the one that takes it, this is the clock itself.
 *
 * <p>Steps are taken under the node's lock; the time may be asked for without.
 */
final class StepClock {

    private final LongSupplier clock;
    /**
     * The id of the thread that takes a step, or 0, which is nobody's. A thread that asks without the lock sees itself here only while
     * it takes one, as whatever it wrote before it has written over.
     */
    private long taker;

    private int depth;
    private boolean read;
    private long reading;

    StepClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** Begins a step, or a part of the one that is being taken; {@link #end} follows in any case. */
    void begin() {
        if (depth++ == 0) {
            read = false;
            taker = Thread.currentThread().threadId();
        }
    }

    /** Ends what {@link #begin} began. */
    void end() {
        if (--depth == 0) {
            taker = 0;
        }
    }

    /** The present time in nanoseconds. */
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
