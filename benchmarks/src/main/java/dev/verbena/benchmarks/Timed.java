// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

/** A repeatable operation whose execution time is measured. */
interface Timed extends AutoCloseable {
    /** Repeats the measured operation, and returns the number of repetitions. */
    int run();

    @Override
    void close();
}
