// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.VerbsException;
import java.util.Locale;

/**
 * Measures the latency of SENDs and the bandwidth of RDMA WRITEs, each for several message sizes. A chart shows the
 * results as curves. The two devices are in one process, connected either in memory or over UDP. Each output line has a
 * name, a value and a unit, such as {@code lat:Verbena_UDP:64 1.5 us}.
 */
public final class BySize {
    private static final int[] SIZES = {8, 64, 512, 4096, 32768, 262144, 1048576};
    private static final int SAMPLES = 7;
    private static final long SAMPLE_NANOS = 30_000_000;
    private static final long WARM_UP_NANOS = 500_000_000;
    private static final int BANDWIDTH_UNDER_WAY = 2;

    private BySize() {}

    private interface Maker {
        Ends make(long bytes) throws VerbsException;
    }

    public static void main(String[] arguments) throws VerbsException {
        measure("Verbena_in_process", Link::new);
        measure("Verbena_UDP", UdpSpeed::quickest);
    }

    private static void measure(String who, Maker maker) throws VerbsException {
        for (int size : SIZES) {
            print("lat", who, size, nanos(new PingPongTimed(maker.make(size), size)) / 1e3, "us");
            print(
                    "bw",
                    who,
                    size,
                    size / nanos(new WriteTimed(maker.make(size), size, 1, BANDWIDTH_UNDER_WAY)),
                    "GB/s");
        }
    }

    private static double nanos(Timed timed) {
        return Stopwatch.of(timed, WARM_UP_NANOS, SAMPLES, SAMPLE_NANOS).medianNanos();
    }

    private static void print(String what, String who, int size, double value, String unit) {
        System.out.printf(Locale.ROOT, "%s:%s:%d %.4f %s%n", what, who, size, value, unit);
    }
}
