// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.Arrays;

/**
 * The median of n independent samples of any distribution, and the confidence interval of the median by the sign test. For
 * a number k, the confidence interval reaches from the k-th smallest sample to the k-th greatest sample. Each of the n
 * samples lies below the true median with probability 1/2. For n samples and a number k, the confidence interval misses the
 * true median with probability 2 P(Binomial(n, 1/2) &lt; k). This class selects the greatest k, and thus the smallest
 * interval, with a coverage of at least {@link #CONFIDENCE}. The interval contains the true median with the probability
 * {@code coverage}.
 */
record MedianInterval(double low, double median, double high, double coverage) {
    /** The minimum probability that an interval contains the true median. */
    static final double CONFIDENCE = 0.90;

    /** The minimum number of values for an interval with a coverage of at least {@link #CONFIDENCE}. */
    static final int LEAST_VALUES = 5;

    static MedianInterval of(double[] values) {
        int count = values.length;
        if (count < LEAST_VALUES) {
            throw new IllegalArgumentException("there are " + count + " values; an interval needs " + LEAST_VALUES);
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = 1;
        while (coverage(count, rank + 1) >= CONFIDENCE) {
            rank++;
        }
        double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
        return new MedianInterval(sorted[rank - 1], median, sorted[count - rank], coverage(count, rank));
    }

    /**
     * Returns the probability that the true median lies between the k-th smallest and the k-th greatest value. The
     * parameter {@code rank} is the number k, and {@code count} is the number of values.
     */
    static double coverage(int count, int rank) {
        double below = 0;
        double probability = Math.pow(0.5, count);
        for (int i = 0; i < rank; i++) {
            below += probability;
            probability *= (double) (count - i) / (i + 1);
        }
        return 1 - 2 * below;
    }
}
