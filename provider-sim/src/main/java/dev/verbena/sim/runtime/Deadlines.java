// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;

/** Arithmetic of instants on the monotonic clock of a runtime, which starts near 0 and never wraps. */
final class Deadlines {
    /** No deadline: later than any time of a clock. */
    static final long NEVER = Long.MAX_VALUE;

    private static final Duration LONGEST = Duration.ofNanos(NEVER);

    private Deadlines() {}

    /** Returns the time that is a delay later; {@link #NEVER} if that is beyond the clock's range. */
    static long after(long nanoTime, Duration delay) {
        long nanos = delay.compareTo(LONGEST) >= 0 ? NEVER : delay.toNanos();
        return nanos >= NEVER - nanoTime ? NEVER : nanoTime + nanos;
    }
}
