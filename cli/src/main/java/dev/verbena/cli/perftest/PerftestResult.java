// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

/** The result of a test for one message size. */
sealed interface PerftestResult permits LatencyResult, BandwidthResult {
    String row(BandwidthUnit unit);

    /** Returns the result as a JSON object with the keys of perftest. */
    String json(BandwidthUnit unit);
}
