package dev.verbena.cli.perftest;

/** What a test of one size found. */
sealed interface PerftestResult permits LatencyResult, BandwidthResult {
    /** A row of perftest's table. */
    String row(BandwidthUnit unit);

    /** An object with perftest's names. */
    String json(BandwidthUnit unit);
}
