// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

/** The result of a test of one size. */
sealed interface PerftestResult permits LatencyResult, BandwidthResult {
    /** A row of perftest's table. */
    String row(BandwidthUnit unit);

    /** A JSON object with perftest's names. */
    String json(BandwidthUnit unit);
}
