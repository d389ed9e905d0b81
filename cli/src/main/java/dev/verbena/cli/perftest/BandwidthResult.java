package dev.verbena.cli.perftest;

import java.util.Locale;

/**
 * How fast messages of a size went.
 *
 * @param size bytes of a message
 * @param messages how many, of all queue pairs
 * @param nanos how long they took together
 * @param peakNanos how long the quickest tenth of them took, or 0 if that was not measured
 */
record BandwidthResult(int size, long messages, long nanos, long peakNanos) implements PerftestResult {
    static final String HEADER = " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]";

    /** Into so many parts a test is divided to find the quickest one. */
    static final int PARTS = 10;

    private static final double MEBI = 1 << 20;
    private static final double NANOS = 1e9;
    private static final double MICROS_OF_NANO = 1e3;

    private double mebibytes(double count, long within) {
        return within == 0 ? 0 : count * size / MEBI * NANOS / within;
    }

    private double peak() {
        return mebibytes((double) messages / PARTS, peakNanos);
    }

    double average() {
        return mebibytes((double) messages, nanos);
    }

    /** Million messages a second. */
    private double rate() {
        return nanos == 0 ? 0 : messages * MICROS_OF_NANO / nanos;
    }

    /** Both directions together. */
    BandwidthResult plus(BandwidthResult other) {
        return new BandwidthResult(size, messages + other.messages, Math.max(nanos, other.nanos), 0);
    }

    @Override
    public String row() {
        return String.format(
                Locale.ROOT,
                " %-7d    %-10d       %-7.2f            %-7.2f\t\t     %-7.6f",
                size,
                messages,
                peak(),
                average(),
                rate());
    }

    @Override
    public String json() {
        return String.format(
                Locale.ROOT,
                "{\"MsgSize\": %d, \"n_iterations\": %d, \"BW_peak\": %.3f, \"BW_average\": %.3f, \"MsgRate\": %.6f}",
                size,
                messages,
                peak(),
                average(),
                rate());
    }
}
