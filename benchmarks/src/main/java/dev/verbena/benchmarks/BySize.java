package dev.verbena.benchmarks;

import dev.verbena.verbs.VerbsException;
import java.util.Locale;

/**
 * Latency of SENDs and bandwidth of RDMA WRITEs of several sizes between two devices of one process, for the curves of a picture:
 * lines {@code lat:WHO:BYTES value us} and {@code bw:WHO:BYTES value GB/s}.
 */
public final class BySize {
    private static final int[] SIZES = {8, 64, 512, 4096, 32768, 262144, 1048576};
    private static final int SAMPLES = 7;
    private static final long SAMPLE_NANOS = 30_000_000;
    private static final long WARM_UP_NANOS = 500_000_000;
    private static final String WHO = "Verbena_in_process";

    private BySize() {}

    /**
     * Measures.
     *
     * @param arguments none are looked at
     * @throws VerbsException if a device refuses something
     */
    public static void main(String[] arguments) throws VerbsException {
        for (int size : SIZES) {
            print("lat", size, nanos(new PingPongTimed(new Link(size), size)) / 1e3, "us");
            print("bw", size, size / nanos(new WriteTimed(new Link(size), size, 1)), "GB/s");
        }
    }

    private static double nanos(Timed timed) {
        try (timed) {
            Stopwatch stopwatch = new Stopwatch(timed, SAMPLES);
            stopwatch.warmUp(WARM_UP_NANOS);
            for (int i = 0; i < SAMPLES; i++) {
                stopwatch.sample(SAMPLE_NANOS);
            }
            return stopwatch.medianNanos();
        }
    }

    private static void print(String what, int size, double value, String unit) {
        System.out.printf(Locale.ROOT, "%s:%s:%d %.4f %s%n", what, WHO, size, value, unit);
    }
}
