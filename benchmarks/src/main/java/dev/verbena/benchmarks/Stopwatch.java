// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.util.Arrays;

/**
 * Takes samples of the speed of one thing. The samples of several stopwatches should alternate, so that a disturbance
 * affects all of them.
 */
final class Stopwatch {
    private final Timed timed;
    private final double[] nanos;
    private int samples;
    private double leastBytes = Double.MAX_VALUE;

    /**
     * Makes a stopwatch.
     *
     * @param timed the measured work
     * @param most how many samples will be taken at most
     */
    Stopwatch(Timed timed, int most) {
        this.timed = timed;
        nanos = new double[most];
    }

    /** Takes all samples of one thing alone, and closes it. */
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

    /** Runs it for at least {@code leastNanos}, and until the compilers have compiled it. */
    void warmUp(long leastNanos) {
        WarmUp warmUp = new WarmUp(leastNanos);
        do {
            timed.run();
        } while (warmUp.goesOn());
    }

    /** Takes a sample of at least this length. */
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

    /** Bytes allocated for each operation in the best sample, by this thread, the devices' and those that help. */
    double bytes() {
        return leastBytes;
    }
}
