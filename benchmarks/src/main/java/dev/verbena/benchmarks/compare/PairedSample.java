// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

/**
 * One figure of one run of a program, with the round of the run (from 1) and the build whose classes ran. In each round
 * every build runs each program once.
 */
record PairedSample(int round, Side side, String name, double value, String unit) {
    /** The builds that are compared. */
    enum Side {
        /** The commit with which the work tree is compared. */
        BASE,
        /** The same commit as {@code BASE}, measured once more in the same round as a control. */
        CONTROL,
        HERE
    }

    private static final int FIELDS = 5;

    /** Parses a line of five fields with tabs between them. */
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
