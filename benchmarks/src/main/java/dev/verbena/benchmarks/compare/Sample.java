// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

/**
 * One measurement: a benchmark result that one execution of a program printed, and the number of the round (from 1). The
 * core-to-core latency was measured before this execution ({@code before}) and after it ({@code after}), in nanoseconds.
 */
record Sample(int round, double before, double after, String name, double value, String unit) {
    private static final int FIELDS = 6;

    double quickerProbe() {
        return Math.min(before, after);
    }

    double slowerProbe() {
        return Math.max(before, after);
    }

    /** Parses one measurement: a line with six fields that are separated by tabs. */
    static Sample parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("there are " + fields.length + " fields and not " + FIELDS);
        }
        return new Sample(
                Integer.parseInt(fields[0]),
                Double.parseDouble(fields[1]),
                Double.parseDouble(fields[2]),
                fields[3],
                Double.parseDouble(fields[4]),
                fields[5]);
    }
}
