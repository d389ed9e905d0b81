// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;

/**
 * The warm-up of a benchmark before its measurement. After a minimum time, the warm-up ends as soon as the JIT compilers
 * have been idle during one interval. JIT compiler threads that run during a measurement take CPU time from the two
 * spinning threads of a benchmark. Not thread-safe.
 */
final class WarmUp {
    private static final long LONGEST_MOMENT_NANOS = Duration.ofSeconds(1).toNanos();

    /** The maximum number of intervals by which the warm-up exceeds the minimum time if the JIT compilers stay busy. */
    private static final int MOST_MOMENTS = 20;

    /** The JIT compilers count as idle in an interval if they work for at most a fiftieth (2 %) of the interval. */
    private static final int IDLE = 50;

    private final CompilationMXBean compilers = Objects.requireNonNull(ManagementFactory.getCompilationMXBean());
    private final long begin = System.nanoTime();
    private final long leastNanos;
    private final long momentNanos;
    private long momentBegin = begin;
    private long compiled = compilers.getTotalCompilationTime();

    WarmUp(long leastNanos) {
        this.leastNanos = leastNanos;
        momentNanos = Math.min(LONGEST_MOMENT_NANOS, leastNanos);
    }

    boolean goesOn() {
        long now = System.nanoTime();
        long took = now - begin;
        boolean idle = now - momentBegin >= momentNanos && endMoment(now);
        return took < leastNanos || (!idle && took < leastNanos + MOST_MOMENTS * momentNanos);
    }

    /**
     * Completes the current interval of the benchmark's warm-up and begins the next one. Returns whether the JIT compilers
     * were idle in the completed interval.
     */
    private boolean endMoment(long now) {
        long total = compilers.getTotalCompilationTime();
        long worked = Duration.ofMillis(total - compiled).toNanos();
        long length = now - momentBegin;
        compiled = total;
        momentBegin = now;
        return worked <= length / IDLE;
    }
}
