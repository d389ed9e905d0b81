// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.OptionalDouble;

/**
 * A goal for a ratio.
 *
 * @param line the number of the goal
 * @param what the description for readers
 * @param of the figure in the numerator
 * @param against the figure in the denominator; an empty string if {@code of} already names a ratio
 * @param atMost true if the limit is the maximum of the ratio; false if the limit is the minimum
 * @param stretch a desired ratio that is better than the limit; NaN if the goal has only a limit
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
     * Returns the median of the figure {@code of} divided by the median of {@code against}, or the median of {@code of} if
     * the goal has no {@code against}. The result is empty if the figure {@code of} or {@code against} has no samples.
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

    /** Returns whether the ratio meets a limit; false if the limit is NaN. */
    private boolean keeps(double ratio, double asked) {
        return atMost ? ratio <= asked : ratio >= asked;
    }
}
