// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

/** An operation with a measured speed, which can be repeated. */
interface Timed extends AutoCloseable {
    /** Runs the operation several times, and returns how often it ran. */
    int run();

    @Override
    void close();
}
