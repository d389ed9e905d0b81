// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.util.Arrays;

/**
 * Measures the time per operation in several measurements. A caller should alternate the measurements of several {@code
 * Stopwatch} objects, so that a disturbance, such as other load on the host, affects all of them.
 */
final class Stopwatch {
    private final Timed timed;
    private final double[] nanos;
    private int samples;
    private double leastBytes = Double.MAX_VALUE;

    Stopwatch(Timed timed, int most) {
        this.timed = timed;
        nanos = new double[most];
    }

    /**
     * Makes all measurements of one operation, without alternating with other operations, and then closes {@code timed}.
     */
    static Stopwatch of(Timed timed, long warmUpNanos, int samples, long sampleNanos) {
        try (timed) {
            Stopwatch stopwatch = new Stopwatch(timed, samples);
            stopwatch.warmUp(warmUpNanos);
            for (int i = 0; i < samples; i++) {
                stopwatch.sample(sampleNanos);
            }
            return stopwatch;
        }
    }

    /** Repeats the measured operation for at least {@code leastNanos} nanoseconds, and until the JIT compilers are idle. */
    void warmUp(long leastNanos) {
        WarmUp warmUp = new WarmUp(leastNanos);
        do {
            timed.run();
        } while (warmUp.goesOn());
    }

    /** Repeats the operation for at least {@code atLeastNanos} nanoseconds, and adds the mean time as a measurement. */
    void sample(long atLeastNanos) {
        Allocation allocation = new Allocation();
        long operations = 0;
        long start = System.nanoTime();
        long took;
        do {
            operations += timed.run();
            took = System.nanoTime() - start;
        } while (took < atLeastNanos);
        leastBytes = Math.min(leastBytes, (double) allocation.bytes() / operations);
        nanos[samples++] = (double) took / operations;
    }

    /** The median of the measurements, in nanoseconds per operation. */
    double medianNanos() {
        return median(Arrays.copyOf(nanos, samples));
    }

    /** Returns the middle value of an odd number of values, and the higher middle value of an even number. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** The nanoseconds per operation in the fastest measurement. */
    double bestNanos() {
        return Arrays.stream(nanos, 0, samples).min().orElseThrow();
    }

    /** The minimum of the allocated bytes per operation among all measurements; see {@link Allocation}. */
    double bytes() {
        return leastBytes;
    }
}
