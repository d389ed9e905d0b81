// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.util.Arrays;

/**
 * Samples the speed of one operation. The samples of several stopwatches should alternate, so that a disturbance of the
 * machine affects all of them.
 */
final class Stopwatch {
    private final Timed timed;
    private final double[] nanos;
    private int samples;
    private double leastBytes = Double.MAX_VALUE;

    /** Creates a stopwatch for at most {@code most} samples. */
    Stopwatch(Timed timed, int most) {
        this.timed = timed;
        nanos = new double[most];
    }

    /** Takes all samples of one operation alone, and closes the operation. */
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

    /** Runs the operation for at least {@code leastNanos}, and until the JIT compilers are idle. */
    void warmUp(long leastNanos) {
        WarmUp warmUp = new WarmUp(leastNanos);
        do {
            timed.run();
        } while (warmUp.goesOn());
    }

    /** Takes a sample that lasts at least {@code atLeastNanos}. */
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

    /** The median of the samples: nanoseconds for each operation. */
    double medianNanos() {
        return median(Arrays.copyOf(nanos, samples));
    }

    /** Returns the middle value of an odd count, and the higher middle value of an even one. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** The time of an operation in the fastest sample. */
    double bestNanos() {
        return Arrays.stream(nanos, 0, samples).min().orElseThrow();
    }

    /**
     * The number of bytes that this thread, the devices' threads and the helper threads allocated for each operation in
     * the best sample.
     */
    double bytes() {
        return leastBytes;
    }
}
