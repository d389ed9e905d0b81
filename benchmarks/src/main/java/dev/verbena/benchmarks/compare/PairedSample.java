// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

/**
 * One figure of one run of a program of one side.
 *
 * @param round from 1; in each round every side runs once
 * @param side the side whose classes ran
 * @param name of the figure
 * @param value the figure
 * @param unit of the value
 */
record PairedSample(int round, Side side, String name, double value, String unit) {
    /** The builds that are compared. */
    enum Side {
        /** The commit that is compared with. */
        BASE,
        /** The same commit once more in the same round, as the control. */
        CONTROL,
        /** The work tree. */
        HERE
    }

    private static final int FIELDS = 5;

    /** Reads a line of five fields with tabs between them. */
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
