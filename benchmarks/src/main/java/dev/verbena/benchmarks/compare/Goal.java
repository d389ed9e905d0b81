package dev.verbena.benchmarks.compare;

import java.util.OptionalDouble;

/**
 * A ratio that is asked for.
 *
 * @param line its number among the goals
 * @param what what it says, for readers
 * @param of the figure above the line
 * @param against the figure below it, or nothing if {@code of} is the ratio itself
 * @param atMost true if the ratio may not be more than the limit, false if it may not be less
 * @param limit what is asked for
 * @param stretch what would be better still, or NaN
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
