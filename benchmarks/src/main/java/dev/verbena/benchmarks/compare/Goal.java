// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.OptionalDouble;

/**
 * A performance target for a ratio of benchmark results.
 *
 * @param line the number of the performance target in {@code performance.md}
 * @param what the description for readers
 * @param of the name of the benchmark result in the numerator
 * @param against the name of the benchmark result in the denominator; empty if {@code of} is already a ratio
 * @param atMost true if {@code limit} is the maximum of the ratio; false if it is the minimum
 * @param stretch a desired ratio that is better than {@code limit}; NaN if only {@code limit} is required
 */
record Goal(String line, String what, String of, String against, boolean atMost, double limit, double stretch) {
    static Goal atLeast(String line, String what, String of, String against, double limit) {
        return new Goal(line, what, of, against, false, limit, Double.NaN);
    }

    static Goal atMost(String line, String what, String of, String against, double limit) {
        return new Goal(line, what, of, against, true, limit, Double.NaN);
    }

    Goal stretch(double further) {
        return new Goal(line, what, of, against, atMost, limit, further);
    }

    /**
     * Returns the median of the benchmark result {@code of} divided by the median of {@code against}. If {@code against} is
     * empty, returns the median of {@code of}. Returns empty if the benchmark result {@code of} or {@code against} was not
     * measured.
     */
    OptionalDouble ratio(Samples samples) {
        OptionalDouble above = samples.median(of);
        if (against.isEmpty() || above.isEmpty()) {
            return above;
        }
        OptionalDouble below = samples.median(against);
        return below.isEmpty() ? below : OptionalDouble.of(above.getAsDouble() / below.getAsDouble());
    }

    boolean isReached(double ratio) {
        return keeps(ratio, limit);
    }

    boolean isStretched(double ratio) {
        return keeps(ratio, stretch);
    }

    /** Returns whether the ratio meets a bound; false if the bound is NaN. */
    private boolean keeps(double ratio, double asked) {
        return atMost ? ratio <= asked : ratio >= asked;
    }
}
