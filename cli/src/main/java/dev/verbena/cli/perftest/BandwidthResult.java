// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import java.util.Locale;

/**
 * The bandwidth for messages of one size.
 *
 * @param size the size of a message in bytes
 * @param messages the number of messages that all queue pairs transferred
 * @param nanos the time in which all messages were transferred
 * @param peakNanos the duration of the fastest of the 10 intervals of the test, or 0 if the intervals were not measured
 */
record BandwidthResult(int size, long messages, long nanos, long peakNanos) implements PerftestResult {
    /** A bandwidth test has 10 intervals with the same number of messages. The fastest one gives the peak bandwidth. */
    static final int PARTS = 10;

    private static final double NANOS = 1e9;
    private static final double MICROS_OF_NANO = 1e3;

    private double bytesPerSecond(double count, long within) {
        return within == 0 ? 0 : count * size * NANOS / within;
    }

    private double peak(BandwidthUnit unit) {
        return unit.of(bytesPerSecond((double) messages / PARTS, peakNanos));
    }

    double average(BandwidthUnit unit) {
        return unit.of(bytesPerSecond((double) messages, nanos));
    }

    private double rate() {
        return nanos == 0 ? 0 : messages * MICROS_OF_NANO / nanos;
    }

    /** Formats the number and the total time of the messages that this process sent, as a line for the peer. */
    String encode() {
        return messages + " " + nanos;
    }

    static BandwidthResult decode(int size, String line) throws ToolException {
        String[] theirs = line.split(" ", 2);
        try {
            return new BandwidthResult(size, Long.parseLong(theirs[0]), Long.parseLong(theirs[1]), 0);
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new ToolException("the other end sent '" + line + "' instead of the number of its messages");
        }
    }

    /** Returns the result of a bidirectional bandwidth test: the sum of this direction and of the opposite direction. */
    BandwidthResult plus(BandwidthResult other) {
        return new BandwidthResult(size, messages + other.messages, Math.max(nanos, other.nanos), 0);
    }

    @Override
    public String row(BandwidthUnit unit) {
        return String.format(
                Locale.ROOT,
                " %-7d    %-10d       %-7.2f            %-7.2f\t\t     %-7.6f",
                size,
                messages,
                peak(unit),
                average(unit),
                rate());
    }

    @Override
    public String json(BandwidthUnit unit) {
        return String.format(
                Locale.ROOT,
                "{\"MsgSize\": %d, \"n_iterations\": %d, \"BW_peak\": %.3f, \"BW_average\": %.3f, \"MsgRate\": %.6f}",
                size,
                messages,
                peak(unit),
                average(unit),
                rate());
    }
}
