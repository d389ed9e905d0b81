// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The latencies of all messages of one size. The size is in bytes, and the latencies are in nanoseconds. */
record LatencyResult(int size, Histogram nanos) implements PerftestResult {
    static final String HEADER = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
            + "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ";

    private static final double NANOS_OF_MICRO = 1e3;

    private double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_OF_MICRO;
    }

    private Object[] figures() {
        return new Object[] {
            size,
            nanos.getTotalCount(),
            micros(0),
            micros(100),
            micros(50),
            nanos.getMean() / NANOS_OF_MICRO,
            nanos.getStdDeviation() / NANOS_OF_MICRO,
            micros(99),
            micros(99.9)
        };
    }

    @Override
    public String row(BandwidthUnit unit) {
        return String.format(
                Locale.ROOT,
                " %-7d %-10d      %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t%-7.2f\t\t%-7.2f \t\t%-7.2f",
                figures());
    }

    @Override
    public String json(BandwidthUnit unit) {
        return String.format(
                Locale.ROOT,
                "{\"MsgSize\": %d, \"n_iterations\": %d, \"t_min\": %.3f, \"t_max\": %.3f, \"t_typical\": %.3f,"
                        + " \"t_avg\": %.3f, \"t_stdev\": %.3f, \"percentile_99\": %.3f, \"percentile_99.9\": %.3f}",
                figures());
    }
}
