// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.OptionalDouble;

/**
 * A goal for a ratio.
 *
 * @param line its number among the goals
 * @param what the description for readers
 * @param of the figure in the numerator
 * @param against the figure in the denominator, or empty if {@code of} is the ratio itself
 * @param atMost true if the ratio may not be more than the limit, false if it may not be less
 * @param limit the goal
 * @param stretch a better value to aim at, or NaN
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

    /** The ratio of the medians, or nothing if one of them was not measured. */
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

    /** False where there is no such limit. */
    private boolean keeps(double ratio, double asked) {
        return atMost ? ratio <= asked : ratio >= asked;
    }
}
