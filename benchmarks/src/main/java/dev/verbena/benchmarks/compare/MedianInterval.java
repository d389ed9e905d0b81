// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.Arrays;

/**
 * The median of independent values and its confidence interval, of any distribution: the k-th value from below and the
 * k-th from above. This is the interval of the sign test. Each value lies below the true median with probability 1/2.
 * So the interval misses the median with probability 2 P(Binomial(n, 1/2) &lt; k). The interval takes the greatest k
 * that keeps {@link #CONFIDENCE}.
 *
 * @param low the lower end
 * @param median the median
 * @param high the upper end
 * @param coverage the probability that the interval contains the true median
 */
record MedianInterval(double low, double median, double high, double coverage) {
    /** The least probability with which an interval contains the true median. */
    static final double CONFIDENCE = 0.90;

    /** With fewer values not even the least and the greatest one reach {@link #CONFIDENCE}. */
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

    /** The probability that the values of these ranks from below and from above enclose the true median. */
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
