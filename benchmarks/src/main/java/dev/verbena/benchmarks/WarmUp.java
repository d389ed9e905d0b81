package dev.verbena.benchmarks;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;

/**
 * What is done before anything is measured: it goes on for a while, and then until the compilers have been idle for a moment, as
 * their threads want processors that both ends of a connection spin on. For one thread.
 */
final class WarmUp {
    private static final long LONGEST_MOMENT_NANOS = Duration.ofSeconds(1).toNanos();

    /** How many moments it may take besides, if the compilers never are idle. */
    private static final int MOST_MOMENTS = 20;

    /** In one of so many parts of a moment that counts as idle the compilers may work. */
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

    /** Whether it is not over yet. */
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
