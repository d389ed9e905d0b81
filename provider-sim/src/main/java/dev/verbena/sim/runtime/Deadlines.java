// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;

/** Arithmetic with times of a runtime's monotonic clock, which starts near 0 and never wraps. */
final class Deadlines {
    /** A deadline later than any time of a clock, for waits without a timeout. */
    static final long NEVER = Long.MAX_VALUE;

    private static final Duration LONGEST = Duration.ofNanos(NEVER);

    private Deadlines() {}

    /** Returns the time after a delay, or {@link #NEVER} if that time is beyond the clock's range. */
    static long after(long nanoTime, Duration delay) {
        long nanos = delay.compareTo(LONGEST) >= 0 ? NEVER : delay.toNanos();
        return nanos >= NEVER - nanoTime ? NEVER : nanoTime + nanos;
    }
}
