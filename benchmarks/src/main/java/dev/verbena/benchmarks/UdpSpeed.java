// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.DatagramBatching;
import dev.verbena.sim.udp.NativeUse;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Measures latency and throughput between two devices over UDP on this host. Prints a line with name, value and unit for
 * each benchmark result. The C program {@code src/main/c/udp.c} measures UDP sockets without devices, for comparison. The
 * arguments select UDP send mechanisms ({@code channel}, {@code mmsg}, {@code gso}); the default is all.
 */
public final class UdpSpeed {
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 20;
    private static final int BATCH = 32;
    private static final int MESSAGES_UNDER_WAY = 2;
    private static final int SAMPLES = 9;
    private static final long SAMPLE_NANOS = 50_000_000;
    /**
     * The minimum warm-up. The warm-up takes long, because the benchmark's two spinning threads and the JIT compiler's
     * threads compete for the processors.
     */
    private static final long WARM_UP_NANOS = 3_000_000_000L;

    private static final Map<String, Function<ThreadRuntime, UdpFabric>> WAYS = new TreeMap<>(Map.of(
            "channel", of(DatagramBatching.NONE),
            "mmsg", of(DatagramBatching.MESSAGES),
            "gso", of(DatagramBatching.SEGMENTS)));

    private final String way;
    private final Function<ThreadRuntime, UdpFabric> newFabric;

    private static Function<ThreadRuntime, UdpFabric> of(DatagramBatching batching) {
        return runtime -> new UdpFabric(runtime, NativeUse.AUTO, batching);
    }

    private UdpSpeed(String way) {
        this.way = way;
        Function<ThreadRuntime, UdpFabric> known = WAYS.get(way);
        if (known == null) {
            throw new IllegalArgumentException("no way of sending is called " + way + "; there are " + WAYS.keySet());
        }
        newFabric = known;
    }

    public static void main(String[] arguments) throws VerbsException {
        for (String way : arguments.length == 0 ? WAYS.keySet() : Arrays.asList(arguments)) {
            UdpSpeed speed = new UdpSpeed(way);
            speed.pingPong();
            speed.bandwidth("write_1m_mtu4096", PathMtu.MTU_4096);
            speed.bandwidth("write_1m_mtu1024", PathMtu.MTU_1024);
            speed.rate();
        }
    }

    /**
     * Connects two devices over UDP. The devices use GSO, or else the next best {@link DatagramBatching} that the operating
     * system supports.
     */
    static Ends quickest(long bytes) throws VerbsException {
        return new UdpLink(of(DatagramBatching.SEGMENTS), PathMtu.MTU_4096, bytes);
    }

    private Ends link(PathMtu mtu) throws VerbsException {
        return new UdpLink(newFabric, mtu, LARGE);
    }

    private void pingPong() throws VerbsException {
        Stopwatch stopwatch = measure(new PingPongTimed(link(PathMtu.MTU_4096), SMALL));
        print("send_pingpong_half_rtt", stopwatch.medianNanos() / 1e3, "us", stopwatch);
    }

    private void bandwidth(String name, PathMtu mtu) throws VerbsException {
        Stopwatch stopwatch = measure(new WriteTimed(link(mtu), LARGE, 1, MESSAGES_UNDER_WAY));
        print(name, LARGE / stopwatch.medianNanos(), "GB/s", stopwatch);
    }

    /**
     * Measures messages per second. This benchmark has as many messages in flight as the C program {@code udp.c} has
     * datagrams in flight. Each message is shorter than the path MTU, so the path MTU affects only the maximum number
     * of packets in flight.
     */
    private void rate() throws VerbsException {
        Stopwatch stopwatch = measure(new WriteTimed(link(PathMtu.MTU_1024), SMALL, BATCH, UdpLink.DEPTH / BATCH));
        print("write_64_batch", 1e3 / stopwatch.medianNanos(), "M/s", stopwatch);
    }

    private static Stopwatch measure(Timed timed) {
        return Stopwatch.of(timed, WARM_UP_NANOS, SAMPLES, SAMPLE_NANOS);
    }

    private void print(String name, double value, String unit, Stopwatch stopwatch) {
        String whole = "udp_" + way + "_" + name;
        System.out.printf(Locale.ROOT, "%s %.4f %s%n", whole, value, unit);
        System.out.printf(Locale.ROOT, "%s_allocated %.4f B%n", whole, stopwatch.bytes());
    }
}
