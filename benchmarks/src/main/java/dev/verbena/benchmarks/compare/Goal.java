// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.OptionalDouble;

/**
 * A goal for a ratio.
 *
 * @param line the number of the goal
 * @param what the description for readers
 * @param of the figure in the numerator
 * @param against the figure in the denominator, or empty if {@code of} is the ratio itself
 * @param atMost true if the ratio may not exceed the limit, false if the limit may not exceed the ratio
 * @param stretch a better value to aim at, or NaN if there is none
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

    /** Returns the ratio of the medians; empty if one of the figures was not measured. */
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

    /** Returns whether the ratio meets a limit. If there is no limit, the result is false. */
    private boolean keeps(double ratio, double asked) {
        return atMost ? ratio <= asked : ratio >= asked;
    }
}
