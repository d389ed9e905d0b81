// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

/** An operation with a measured speed, which can be repeated. */
interface Timed extends AutoCloseable {
    /**
     * Does it for a while.
     *
     * @return how many operations that were
     */
    int run();

    @Override
    void close();
}
