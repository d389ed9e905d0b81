// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

/**
 * One measurement: a benchmark result that one execution of a program printed. {@code round} is the number of the round,
 * from 1, and {@code side} is the version that ran. In each round, each benchmark program runs once for each {@code Side}.
 */
record PairedSample(int round, Side side, String name, double value, String unit) {
    /** The versions that are compared: the base commit (twice) and the Git working tree. */
    enum Side {
        /** The commit with which the Git working tree is compared. */
        BASE,
        /**
         * Each round runs the base commit once as {@link #BASE} and once as {@code CONTROL}. The difference between {@link
         * #BASE} and {@code CONTROL} shows the noise of the measurement.
         */
        CONTROL,
        HERE
    }

    private static final int FIELDS = 5;

    /** Parses a line with five fields that are separated by tabs. */
    static PairedSample parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("there are " + fields.length + " fields and not " + FIELDS);
        }
        return new PairedSample(
                Integer.parseInt(fields[0]),
                Side.valueOf(fields[1]),
                fields[2],
                Double.parseDouble(fields[3]),
                fields[4]);
    }
}
