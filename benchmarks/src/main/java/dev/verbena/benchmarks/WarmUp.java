// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;

/**
 * The warm-up before a measurement. It lasts for a minimum time, and then until the compilers have been idle for a
 * moment, since their threads compete for the processors on which both ends of a connection spin. For one thread.
 */
final class WarmUp {
    private static final long LONGEST_MOMENT_NANOS = Duration.ofSeconds(1).toNanos();

    /** The limit of further moments, if the compilers never are idle. */
    private static final int MOST_MOMENTS = 20;

    /** A moment counts as idle if the compilers work for at most this fraction of it (one part in {@value}). */
    private static final int IDLE = 50;

    private final CompilationMXBean compilers = Objects.requireNonNull(ManagementFactory.getCompilationMXBean());
    private final long begin = System.nanoTime();
    private final long leastNanos;
    private final long momentNanos;
    private long momentBegin = begin;
    private long compiled = compilers.getTotalCompilationTime();

    /** One that takes at least this long. */
    WarmUp(long leastNanos) {
        this.leastNanos = leastNanos;
        momentNanos = Math.min(LONGEST_MOMENT_NANOS, leastNanos);
    }

    /** Returns whether it is not over yet. */
    boolean goesOn() {
        long now = System.nanoTime();
        long took = now - begin;
        boolean idle = now - momentBegin >= momentNanos && endMoment(now);
        return took < leastNanos || (!idle && took < leastNanos + MOST_MOMENTS * momentNanos);
    }

    /** Begins another moment; whether the compilers were idle in the last one. */
    private boolean endMoment(long now) {
        long total = compilers.getTotalCompilationTime();
        long worked = Duration.ofMillis(total - compiled).toNanos();
        long length = now - momentBegin;
        compiled = total;
        momentBegin = now;
        return worked <= length / IDLE;
    }
}
