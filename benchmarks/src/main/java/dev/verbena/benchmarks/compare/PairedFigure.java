// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import dev.verbena.benchmarks.compare.PairedSample.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All measurements of one benchmark result. The ratio of a round is the time of the Git working tree divided by the time of
 * the base commit. If the ratio of a round is above 1, the Git working tree is slower than the base commit.
 */
final class PairedFigure {
    /** The benchmark results of two versions count as equal if their relative difference is at most this value. */
    static final double TOLERANCE = 0.05;

    /** The result of a comparison, which the confidence interval of the median ratio determines. */
    enum Verdict {
        /** The Git working tree is slower: the confidence interval of the median ratio is above 1 + {@link #TOLERANCE}. */
        WORSE("worse"),
        /** The Git working tree is faster: the confidence interval of the median ratio is below 1 - {@link #TOLERANCE}. */
        BETTER("better"),
        /** The confidence interval of the median ratio lies within {@link #TOLERANCE} of 1. */
        SAME("same"),
        /** The confidence interval of the median ratio contains 1 - {@link #TOLERANCE} or 1 + {@link #TOLERANCE}. */
        UNDECIDED("undecided");

        private final String word;

        Verdict(String word) {
            this.word = word;
        }

        static Verdict of(MedianInterval interval) {
            if (interval.low() > 1 + TOLERANCE) {
                return WORSE;
            }
            if (interval.high() < 1 - TOLERANCE) {
                return BETTER;
            }
            return interval.low() >= 1 - TOLERANCE && interval.high() <= 1 + TOLERANCE ? SAME : UNDECIDED;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    private static final List<String> TIMES = List.of("ns", "us");
    private static final List<String> RATES = List.of("GB/s", "M/s");

    private final String name;
    private final String unit;
    private final Map<Side, Map<Integer, Double>> values = new EnumMap<>(Side.class);

    PairedFigure(String name, String unit) {
        this.name = name;
        this.unit = unit;
    }

    /** Returns whether {@code unit} is a unit of time or rate; only results with such a unit are compared. */
    static boolean isSpeed(String unit) {
        return TIMES.contains(unit) || RATES.contains(unit);
    }

    void add(PairedSample sample) {
        if (!sample.unit().equals(unit)) {
            throw new IllegalArgumentException(name + " has the units " + unit + " and " + sample.unit());
        }
        if (!(sample.value() > 0) || sample.value() == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException(name + " is " + sample.value() + ", which has no ratio to anything");
        }
        values.computeIfAbsent(sample.side(), side -> new TreeMap<>()).put(sample.round(), sample.value());
    }

    String name() {
        return name;
    }

    String unit() {
        return unit;
    }

    boolean has(Side side) {
        return values.containsKey(side);
    }

    double median(Side side) {
        double[] sorted = of(side).values().stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /**
     * Returns one ratio for each round with a measurement of {@code side} and a measurement of the base commit. Each ratio
     * is the time of an operation in {@code side} divided by the time of an operation in the base commit.
     */
    double[] slowdowns(Side side) {
        List<Double> ratios = new ArrayList<>();
        of(Side.BASE).forEach((round, base) -> {
            Double other = of(side).get(round);
            if (other != null) {
                ratios.add(TIMES.contains(unit) ? other / base : base / other);
            }
        });
        return ratios.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Returns whether {@link Side#HERE} and {@link Side#CONTROL} each have enough ratios for a confidence interval. */
    boolean isComparable() {
        return Arrays.stream(new Side[] {Side.HERE, Side.CONTROL})
                .allMatch(side -> slowdowns(side).length >= MedianInterval.LEAST_VALUES);
    }

    private Map<Integer, Double> of(Side side) {
        return values.getOrDefault(side, Map.of());
    }
}
